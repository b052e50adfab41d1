const N: 3;
type P: scalarset(N);
var a: array[P] of boolean; x,y: 0..2;
startstate begin x := 0; y := 0; for i: P do a[i] := false; end; end;
ruleset i: P do rule begin a[i] := !a[i]; x := (x + 1) % 3; for j: P do if a[j] & j != i then y := x; end; end; x := 0; end;
rule begin for j: P do if a[j] then if j = i then y := 2; end; end; end; end; end;
