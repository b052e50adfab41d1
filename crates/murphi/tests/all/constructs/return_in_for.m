const N: 3;
type P: scalarset(N);
var x: 0..3; a: array[P] of boolean; b: array[0..2] of boolean;
function first(): 0..3; begin for i: 0..2 do if b[i] then return i; end; end; return 3; end;
startstate begin x := 0; for i: P do a[i] := false; end; for i: 0..2 do b[i] := false; end; end;
ruleset i: P; j: 0..2 do rule begin b[j] := !b[j]; x := first(); a[i] := x = j; end; end;
rule begin for i := 2 to 0 by -1 do b[i] := i = x; if b[i] then return; end; end; end;
