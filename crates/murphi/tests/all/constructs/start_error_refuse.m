const N: 3;
type P: scalarset(N);
var a: array[P] of boolean; x: 0..3;
startstate begin for i: P do a[i] := false; end; x := 4; end;
rule begin x := 0; end;
