const N: 3;
type P: scalarset(N);
var a: array[P] of record v: 0..2; n: P; end;
startstate begin for i: P do a[i].v := 0; a[i].n := i; end; end;
ruleset i: P do rule begin for j: P do alias c: a[j]; d: c.v do if c.n = i then d := (d + 1) % 3; c.n := j; end; end; end; end;
rule begin a[i].n := i; end; rule forall j: P do a[j].v = 1 end ==> begin for j: P do a[j].n := i; end; end; end;
