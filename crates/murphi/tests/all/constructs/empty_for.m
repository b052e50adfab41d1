-- not for rumur: it rejects loops without iterations
const N: 3;
type P: scalarset(N);
var a: array[P] of boolean; x: 0..3;
startstate begin x := 0; for i: P do a[i] := false; end; end;
rule begin for i := 3 to 1 do x := i; end; for i := 3 to 1 by -2 do x := (x + i) % 4; end; end;
