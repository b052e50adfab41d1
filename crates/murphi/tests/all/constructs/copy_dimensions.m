const N: 3;
type P: scalarset(N);
type A: array[P] of boolean; E: enum{u,v};
var m: array[P] of array[E] of A; s: array[E] of A;
startstate begin for i: P do for e: E do s[e][i] := false; for j: P do m[i][e][j] := false; end; end; end; end;
ruleset i: P; e: E do rule begin s[e] := m[i][e]; s[e][i] := true; end; rule begin m[i][u] := s[e]; m[i][v][i] := m[i][e][i]; end; end;
