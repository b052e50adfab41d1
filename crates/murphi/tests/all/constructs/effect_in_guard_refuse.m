const N: 3;
type P: scalarset(N);
var a: array[P] of boolean; x: 0..3;
function f(): boolean; begin if x < 3 then x := x + 1; return false; end; return true; end;
startstate begin x := 0; for i: P do a[i] := false; end; end;
rule f() ==> begin x := 0; end;
rule x = 1 ==> begin x := 2; end;
