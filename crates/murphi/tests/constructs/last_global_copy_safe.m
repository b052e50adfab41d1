const N: 3;
type P: scalarset(N);
-- the undefinedness of a `Last` value is lost: y undefined when no a[p]
var y: P; a: array[P] of boolean; c: boolean; d: boolean;
ruleset q: P do startstate begin y := q; c := false; d := false; for i: P do a[i] := false; end; end; end;
rule !c ==> var t: P; begin for p: P do if a[p] then t := p; end; end; y := t; c := true; end;
rule c & y = y ==> begin d := true; end;
invariant !d | c;
