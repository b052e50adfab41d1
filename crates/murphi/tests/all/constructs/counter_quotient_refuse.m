const N: 3;
type P: scalarset(N);
var a, b: array[P] of boolean; c: 0..N;
startstate begin c := 0; for i: P do a[i] := false; b[i] := false; end; end;
rule c / 2 < 1 ==> begin c := 1; end;
