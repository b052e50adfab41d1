const N: 3;
type P: scalarset(N);
var a, b: array[P] of boolean; c: 0..N;
startstate begin c := 0; for i: P do a[i] := false; b[i] := false; end; end;
ruleset k: 0..N do rule begin c := k; end; end;
