const N: 3;
type P: scalarset(N);
type R: record b: boolean; c: 0..2; end;
var a: array[P] of R; x: R;
function mk(q: R; v: boolean): R; var t: R; begin t := q; t.b := v; if t.c < 2 then t.c := t.c + 1; return t; end; t.c := 0; return t; end;
startstate begin x.b := false; x.c := 0; for i: P do a[i] := x; end; end;
ruleset i: P do rule begin a[i] := mk(x, !a[i].b); end; rule begin x := mk(a[i], x.b); end; end;
