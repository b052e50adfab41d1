const N: 3;
type P: scalarset(N);
var m: array[P] of array[P] of 0..2;
startstate begin for i: P do for j: P do m[i][j] := 0; end; end; end;
ruleset i: P do rule begin for j: P do m[j][i] := 1; m[i][j] := 2; end; end; end;
