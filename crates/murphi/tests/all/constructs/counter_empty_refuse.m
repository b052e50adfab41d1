-- sizes: 2, 3
const N: 3;
type P: scalarset(N);
var a, b: array[P] of boolean; c: 1..N-1;
startstate begin c := 1; for i: P do a[i] := false; b[i] := false; end; end;
ruleset i: P do rule begin a[i] := !a[i]; end; end;
