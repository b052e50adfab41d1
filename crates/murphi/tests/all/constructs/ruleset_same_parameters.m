const N: 3;
type P: scalarset(N);
var a: array[P] of 0..2;
startstate begin for i: P do a[i] := 0; end; end;
ruleset i: P; j: P do ruleset k: P do
rule a[i] = 0 & a[j] < 2 ==> begin a[i] := 1; a[j] := a[i] + a[k] > 2 ? 0 : a[i]; a[k] := a[j] = 1 ? 2 : a[i]; end; end; end;
