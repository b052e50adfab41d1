const N: 3;
type P: scalarset(N);
var x: 0..3; a: array[P] of boolean;
startstate begin x := 0; for i: P do a[i] := false; end; end;
ruleset i: P do rule var t: 0..3; begin if a[i] then t := 1; end; if !isundefined(t) then x := t; else a[i] := true; end; end; end;
