const N: 3;
type P: scalarset(N);
var x: 0..3; a: array[P] of boolean;
startstate begin x := 0; for i: P do a[i] := false; end; end;
ruleset i: P do rule x < 3 ==> var t: 0..3; begin if !a[i] then t := 1; end; a[i] := true; if t = 1 then x := x + 1; end; end; end;
