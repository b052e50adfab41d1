const N: 3;
type P: scalarset(N);
var m: array[P] of array[P] of boolean;
startstate begin for i: P do for j: P do m[i][j] := false; end; end; end;
ruleset i: P; j: P do rule begin m[i][j] := !m[i][j]; end; end;
