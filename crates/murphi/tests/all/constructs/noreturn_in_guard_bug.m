const N: 3;
type P: scalarset(N);
var x: 0..2; a: array[P] of boolean;
function f(): boolean; begin if x = 0 then return true; end; end;
startstate begin x := 0; for i: P do a[i] := false; end; end;
rule f() ==> begin x := 1; end;
