const N: 3;
type P: scalarset(N);
var a, b: array[P] of boolean; c: array[P] of 0..N;
startstate begin for i: P do c[i] := 0; a[i] := false; b[i] := false; end; end;
ruleset i: P do rule begin a[i] := !a[i]; end; end;
ruleset i: P do rule begin
  c[i] := 0; for k: P do if !a[k] then c[i] := c[i] + 1; end; end;
end; end;
ruleset i: P; j: P do rule c[i] > c[j] ==> begin c[i] := c[j]; end; end;
invariant forall i: P do c[i] < N | !a[i] | exists j: P do a[j] end end;
