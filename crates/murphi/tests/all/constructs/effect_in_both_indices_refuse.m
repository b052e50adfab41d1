const N: 3;
type P: scalarset(N);
var a: array[P] of boolean; t: array[0..3] of 0..3; x: 0..3;
function f(): 0..3; begin x := (x + 1) % 4; return x; end;
startstate begin x := 0; for i: 0..3 do t[i] := i; end; for i: P do a[i] := false; end; end;
rule begin t[f()] := t[f()]; end;
