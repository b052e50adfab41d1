const N: 3;
type P: scalarset(N);
var x: 0..2; a: array[P] of boolean;
function f(): boolean; begin if x = 0 then x := 1; return true; end; x := 2; end;
startstate begin x := 0; for i: P do a[i] := false; end; end;
rule x < 2 ==> var t: boolean; begin t := f(); end;
invariant x <= 2 & forall i: P do !a[i] end;
