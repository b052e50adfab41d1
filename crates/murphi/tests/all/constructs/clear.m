const N: 3;
type P: 1..N;
type E: enum{e1,e2}; R: record e: E; b: boolean; n: -1..2; p: P; end;
var r: array[P] of R; s: R;
startstate begin clear r; clear s; end;
ruleset i: P do rule begin r[i].e := e2; r[i].b := true; r[i].n := 2; r[i].p := i; put "x"; put r[i].n; end; rule begin s := r[i]; clear r[i]; end; end;
