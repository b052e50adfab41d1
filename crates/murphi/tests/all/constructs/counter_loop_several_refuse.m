const N: 3;
type P: scalarset(N);
var a, b: array[P] of boolean; c: 0..2*N;
startstate begin c := 0; for i: P do a[i] := false; b[i] := false; end; end;
ruleset i: P do rule begin a[i] := !a[i]; end; end;
ruleset i: P do rule begin b[i] := !b[i]; end; end;
rule begin c := 0; for k: P do if a[k] then c := c + 1; if b[k] then c := c + 1; end; end; end; end;
invariant 2 * c <= 4 * N;
