const N: 3;
type P: scalarset(N);
var a: array[P] of boolean; x: 0..9;
startstate begin x := 0; for i: P do a[i] := false; end; end;
rule x < N ==> begin x := x + 1; end;
