const N: 3; M: 2;
type P: scalarset(N); Q: scalarset(M);
var x: array[P] of Q; a: array[P] of array[Q] of boolean;
startstate begin for i: P do for j: Q do a[i][j] := false; end; end; end;
ruleset i: P; j: Q do rule isundefined(x[i]) | x[i] != j ==> begin x[i] := j; a[i][j] := !a[i][j]; end; rule !isundefined(x[i]) & a[i][x[i]] ==> begin for k: Q do a[i][k] := k = j; end; undefine x[i]; end; end;
