const N: 3;
type P: scalarset(N);
var u: array[P] of boolean; v: array[P] of boolean; w: boolean;
startstate begin w := false; for i: P do v[i] := false; end; end;
ruleset i: P; j: P do
rule begin u[i] := v[j]; end; rule !isundefined(u[i]) ==> begin v[i] := u[i] | w; if v[i] then undefine u[j]; end; end;
rule !isundefined(u[i]) & u[i] = v[j] ==> begin w := v[i] = u[i]; v[j] := !v[j]; end; end;
