const N: 3;
type P: scalarset(N);
var a: array[P] of record s: 0..2; t: P; end; x: P;
ruleset q: P do startstate begin x := q; for i: P do a[i].s := 0; a[i].t := i; end; end; end;
ruleset i: P do alias c: a[a[i].t]; d: a[x].s do
rule c.s < 2 ==> begin a[i].t := x; c.s := c.s + 1; x := i; d := 0; end;
rule d = 0 & c.s = 1 ==> begin c := a[i]; x := c.t; end; end; end;
