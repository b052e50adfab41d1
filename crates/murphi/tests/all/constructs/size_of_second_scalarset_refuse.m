const N: 3;
type P: scalarset(N); Q: scalarset(N);
var q: Q; a: array[P] of boolean;
startstate begin for i: P do a[i] := false; end; for i: Q do q := i; end; end;
ruleset k: Q do rule begin q := k; end; end;
invariant true;
