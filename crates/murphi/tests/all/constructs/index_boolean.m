const N: 3;
type P: scalarset(N);
type T: array[boolean] of array[P] of boolean;
var t: T; b: boolean;
startstate begin b := false; for i: P do t[true][i] := false; t[false][i] := true; end; end;
ruleset i: P; j: P do rule begin t[t[b][i]][j] := !t[b][i]; b := t[b][j]; end; end;
