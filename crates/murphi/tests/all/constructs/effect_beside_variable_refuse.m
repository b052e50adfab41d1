const N: 3;
type P: scalarset(N);
var a: array[P] of boolean; x,y: 0..3;
function f(): 0..3; begin x := (x + 1) % 4; return x; end;
startstate begin x := 0; y := 0; for i: P do a[i] := false; end; end;
rule begin y := (x + f()) % 4; end;
rule begin if x < f() then y := 3; end; end;
