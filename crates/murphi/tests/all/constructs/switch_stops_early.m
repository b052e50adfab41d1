const N: 3;
type P: scalarset(N);
var a: array[P] of boolean; x: 0..3;
startstate begin x := 0; for i: P do a[i] := false; end; end;
rule begin switch x case 0, 6 / x: x := 1; case 1: x := 3; else x := 0; end; end;
