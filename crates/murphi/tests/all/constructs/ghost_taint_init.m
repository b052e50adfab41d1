const N: 3;
type P: scalarset(N);
var a: array[P] of boolean; last: P; l2: P; d: boolean;
ruleset q: P do startstate begin last := q; l2 := q; d := false; for i: P do a[i] := i = q; end; end; end;
rule begin for j: P do if a[j] then last := j; end; end; end;
rule begin l2 := last; end;
rule forall i: P do !a[i] end ==> begin d := true; end;
invariant !d;
