-- not for rumur: it gets the negation of a constant wrong
const N: 3;
type P: scalarset(N);
const M: 2;
var a: array[P] of boolean; x: 0..3;
startstate begin x := 0; for i: P do a[i] := false; end; end;
rule M > 1 & x < M ==> begin x := x + M / 2; end;
rule x = M * M - 2 ==> begin x := -M + 3; end;
