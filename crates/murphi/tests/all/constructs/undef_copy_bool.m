const N: 3;
type P: scalarset(N);
var x, y: boolean; a: array[P] of boolean;
startstate begin x := true; for i: P do a[i] := false; end; end;
rule x ==> begin undefine x; x := false; end;
rule isundefined(y) ==> begin y := x; end;
rule !isundefined(y) & y ==> begin undefine y; end;
