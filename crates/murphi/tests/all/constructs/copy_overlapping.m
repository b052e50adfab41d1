const N: 3;
type P: scalarset(N);
type R: record a: array[0..1] of P; b: boolean; end;
var r: array[P] of R; x: 0..1;
startstate begin x := 0; for i: P do r[i].a[0] := i; r[i].a[1] := i; r[i].b := false; end; end;
ruleset i: P; j: P do rule begin r[r[i].a[x]] := r[r[j].a[1-x]]; r[i].a[x] := j; end; rule begin r[i].a := r[j].a; x := 1 - x; end; end;
