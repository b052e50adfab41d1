const N: 3;
type P: scalarset(N);
var a: array[P] of boolean; x: 0..5;
function f(): boolean; begin assert x = 0; x := 1; return true; end;
startstate begin x := 0; for i: P do a[i] := false; end; end;
rule x = 0 ==> begin while x < 2 & f() do return; end; end;
invariant x < 2;
