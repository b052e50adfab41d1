const N: 3;
type P: scalarset(N);
var a: array[P] of boolean; c: 0..N;
startstate begin c := 0; for i: P do a[i] := false; c := c + 1; end; end;
ruleset i: P do
  rule begin a[i] := !a[i]; c := 0; for k: P do c := c + 1; end; end;
  rule c = N ==> begin for k: P do c := c - 1; end; for k: P do if a[i] then c := c + 1; end; end; end;
end;
