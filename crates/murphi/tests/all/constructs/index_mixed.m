const N: 3;
type P: scalarset(N);
type C: enum{c1,c2}; D: enum{d1,d2,d3};
var t: array[C] of array[P] of array[D] of boolean; c: C; d: D; x: P;
ruleset q: P do startstate begin x := q; c := c1; d := d1; for i: C do for j: P do for k: D do t[i][j][k] := false; end; end; end; end; end;
ruleset i: P do rule begin t[c][x][d] := true; x := i; if t[c][i][d] then d := d2; else c := c2; end; end;
rule t[c2][i][d] ==> begin t[c][i][d2] := false; c := c1; d := d1; end; end;
