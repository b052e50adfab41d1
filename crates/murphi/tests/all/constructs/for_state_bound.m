const N: 3;
type P: scalarset(N);
var a: array[P] of boolean; x: 0..3; y: 0..3;
startstate begin x := 0; y := 0; for i: P do a[i] := false; end; end;
rule begin for i := 0 to x do y := i; end; x := (x + 1) % 4; end;
