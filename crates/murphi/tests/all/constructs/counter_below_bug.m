const N: 3;
type P: scalarset(N);
var a, b: array[P] of boolean; c: 0..N;
startstate begin c := 0; for i: P do a[i] := false; b[i] := false; end; end;
ruleset i: P do
  rule !a[i] ==> begin a[i] := true; c := c + 1; end;
  rule a[i] ==> begin a[i] := false; if c > 1 then c := c - 2 else c := c - 1; end; end;
end;
