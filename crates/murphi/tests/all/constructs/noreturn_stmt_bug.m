const N: 3;
type P: scalarset(N);
var x: 0..2; a: array[P] of boolean;
function f(i: P): boolean; begin if a[i] then return true; end; end;
startstate begin x := 0; for i: P do a[i] := true; end; end;
ruleset i: P do rule begin a[i] := false; end; rule var t: boolean; begin t := f(i); x := 1; end; end;
invariant x < 2;
