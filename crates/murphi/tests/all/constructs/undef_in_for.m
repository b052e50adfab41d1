const N: 3;
type P: scalarset(N);
var a: array[P] of 0..2; b: array[P] of P; d: boolean;
startstate begin d := false; end;
ruleset i: P; j: P do rule begin for k: P do if isundefined(a[k]) then a[k] := 1; elsif a[k] = 1 then undefine a[k]; b[k] := i; end; end; if i = j then undefine b[i]; end; end;
rule !isundefined(b[i]) & b[i] = j ==> begin d := isundefined(a[j]); end; end;
