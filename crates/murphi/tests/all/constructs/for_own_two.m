const N: 3;
type P: scalarset(N);
var m: array[P] of array[P] of 0..2; x: P;
ruleset q: P do startstate begin x := q; for i: P do for j: P do m[i][j] := 0; end; end; end; end;
ruleset i: P do
rule begin for j: P do m[j][x] := 1; m[j][i] := 2; end; end;
rule begin for j: P do m[x][j] := (m[x][j] + 1) % 3; end; x := i; end;
rule begin for j: P do m[j][j] := 0; end; end;
end;
