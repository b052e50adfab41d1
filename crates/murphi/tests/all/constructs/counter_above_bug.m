const N: 3;
type P: scalarset(N);
var a, b: array[P] of boolean; c: 0..N-1;
startstate begin c := 0; for i: P do a[i] := false; b[i] := false; end; end;
ruleset i: P do rule !a[i] ==> begin a[i] := true; c := c + 1; end; end;
