const N: 3;
type P: scalarset(N);
var a: array[P] of boolean; x: 0..3;
function inc(): 0..3; begin x := (x + 1) % 4; return x; end;
startstate begin x := 0; for i: P do a[i] := false; end; end;
ruleset i: P do rule begin if inc() = 1 | inc() = 3 then a[i] := !a[i]; elsif inc() = 0 & inc() > 2 then x := 0; end; end; end;
rule var t: 0..9; begin t := inc() + 2 * inc(); if t > 6 then x := 1; end; end;
