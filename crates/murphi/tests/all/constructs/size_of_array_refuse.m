const N: 3;
type P: scalarset(N);
var c: array[1..N] of boolean; a: array[P] of boolean;
startstate begin for i: P do a[i] := false; end; for i: 1..N do c[i] := false; end; end;
ruleset k: 1..N do rule begin c[k] := true; end; end;
invariant exists i: 1..N do !c[i] end | forall i: P do !a[i] end;
