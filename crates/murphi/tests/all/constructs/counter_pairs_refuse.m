const N: 3;
type P: scalarset(N);
var a, b: array[P] of boolean; c: 0..N;
startstate begin c := 0; for i: P do a[i] := false; b[i] := false; end; end;
ruleset i: P do rule begin a[i] := !a[i]; end; end;
rule begin c := 0; for k: P do for m: P do if a[k] & !a[m] then c := c + 1; end; end; end; end;
