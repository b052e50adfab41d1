const N: 3;
type P: scalarset(N);
var m: array[P] of array[P] of boolean;
startstate begin for i: P do for j: P do m[i][j] := i = j; end; end; end;
startstate begin for i: P do for j: P do m[i][j] := i != j; end; end; end;
ruleset i: P; j: P do rule m[i][j] ==> begin m[i][j] := false; m[j][i] := true; end; end;
