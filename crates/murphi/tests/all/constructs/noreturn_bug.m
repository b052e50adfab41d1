const N: 3;
type P: scalarset(N);
var x: 0..2; a: array[P] of boolean;
function f(y: 0..2): 0..2; begin if y = 0 then return 1; end; end;
startstate begin x := 0; for i: P do a[i] := false; end; end;
rule x = 0 ==> begin x := f(x); end;
rule x = 1 ==> var t: 0..2; begin t := f(x); end;
invariant x < 2;
