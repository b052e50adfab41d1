const N: 3;
type P: scalarset(N);
var a: array[P] of boolean; x: 0..3;
function f(): boolean; begin x := 2; return true; end;
startstate begin x := 0; for i: P do a[i] := false; end; end;
rule x = 2 ==> begin x := 3; end;
invariant f() & x != 3;
