const N: 3;
type P: scalarset(N);
var x, y: P; a: array[P] of boolean;
startstate begin for i: P do a[i] := false; end; end;
ruleset i: P do rule isundefined(x) ==> begin x := i; end; end;
rule begin y := x; end;
rule !isundefined(y) ==> begin a[y] := true; end;
invariant isundefined(y) | !isundefined(x);
