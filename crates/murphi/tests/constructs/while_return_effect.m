const N: 3;
type P: scalarset(N);
var a: array[P] of boolean; x: 0..5;
function f(): boolean; begin x := x + 1; return x < 3; end;
startstate begin x := 0; for i: P do a[i] := false; end; end;
rule x = 0 ==> begin while f() do return; end; end;
invariant x < 2;
