const N: 3;
type P: scalarset(N);
var x: array[P] of P;
startstate begin for i: P do undefine x[i]; end; end;
ruleset i: P; j: P do
rule isundefined(x[i]) ==> begin x[i] := j; end;
rule !isundefined(x[i]) & !isundefined(x[j]) & x[i] = x[j] & i != j ==> begin undefine x[j]; end; end;
