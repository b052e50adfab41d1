const N: 3;
type P: scalarset(N);
var a: array[P] of boolean; x: array[0..300] of 0..300; y: 0..300;
startstate begin y := 0; for i: P do a[i] := false; end; for i: 0..300 do x[i] := i; end; end;
ruleset i: P do rule y < 5 ==> begin x[y] := x[x[y]]; y := y + 1; end; end;
