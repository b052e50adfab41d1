const N: 3;
type P: scalarset(N);
const B: true;
var a: array[P] of boolean; x: 0..9;
startstate begin x := 0; for i: P do a[i] := B; end; end;
rule B & x < 2 ==> begin x := x + 1; end;
