const N: 3;
type P: scalarset(N);
var x: 0..3; a: array[P] of boolean;
function f(i: P): boolean; begin if a[i] then if x = 1 then return true; end; x := 1; else return x = 0; end; return x = 2; end;
startstate begin x := 0; for i: P do a[i] := false; end; end;
ruleset i: P; j: P do rule begin a[i] := f(j); if f(i) then return; end; x := (x + 1) % 4; end; end;
