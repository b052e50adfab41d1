const N: 3;
type P: scalarset(N);
var m: array[P] of array[P] of boolean; a: array[P] of boolean; b: array[P] of boolean;
startstate begin for i: P do a[i] := false; b[i] := false; for j: P do m[i][j] := false; end; end; end;
ruleset i: P do rule begin a[i] := !a[i]; end; end;
rule begin for i: P do for j: P do m[i][j] := a[i] & !a[j]; end; end; end;
rule begin for i: P do for j: P do if m[i][j] then b[j] := true; end; end; end; end;
rule begin for i: P do for j: P do if m[i][j] then b[i] := false; end; end; end; end;
