const N: 3;
type P: scalarset(N);
var x: P; a: array[P] of boolean;
startstate begin for i: P do a[i] := false; end; end;
ruleset i: P do
rule isundefined(x) ==> begin x := i; end;
rule !isundefined(x) & x = i ==> begin a[i] := !a[i]; undefine x; end; end;
