const N: 3;
type P: scalarset(N);
var m: array[P] of array[P] of 0..2; x: P;
ruleset q: P; r: P do startstate begin for i: P do for j: P do m[i][j] := (i = q & j = r) ? 1 : ((i = j) ? 2 : 0); end; end; x := r; end; end;
ruleset i: P; j: P do rule m[i][j] > 0 & x = i ==> begin m[i][j] := m[i][j] - 1; x := j; end; end;
