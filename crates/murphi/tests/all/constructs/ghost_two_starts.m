const N: 3;
type P: scalarset(N);
var x: P; a: array[P] of boolean; b: boolean;
ruleset q: P do startstate begin x := q; b := false; for i: P do a[i] := false; end; end;
startstate begin x := q; b := false; for i: P do a[i] := i = q; end; end; end;
rule begin for p: P do if a[p] then x := p; end; end; end;
ruleset i: P do rule a[i] ==> begin a[i] := false; end; end;
invariant !b;
