const N: 3;
type P: scalarset(N);
var c: 0..N; a: array[P] of boolean;
startstate begin c := 0; for i: P do a[i] := false; end; end;
ruleset k: 0..N do rule begin c := k; end; end;
invariant c != 4;
