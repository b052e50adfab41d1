const N: 3;
type P: scalarset(N);
var a: array[P] of boolean; last: P; 
ruleset q: P do startstate begin last := q; for i: P do a[i] := false; end; end; end;
ruleset i: P do rule begin a[i] := true; end; end;
rule begin for j: P do if a[j] then last := j; end; end; end;
invariant true;
