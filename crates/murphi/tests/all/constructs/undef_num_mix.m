const N: 3;
type P: scalarset(N);
var u: array[P] of 0..3; v: array[P] of 1..2; w: -1..1;
startstate begin w := 0; for i: P do v[i] := 1; end; end;
ruleset i: P; j: P do
rule begin u[i] := v[j] + w; end; rule !isundefined(u[i]) & u[i] >= v[i] & u[i] < 3 ==> begin v[i] := u[i]; undefine u[j]; end;
rule !isundefined(u[i]) -> u[i] != v[j] ==> begin w := v[i] - v[j]; end; end;
