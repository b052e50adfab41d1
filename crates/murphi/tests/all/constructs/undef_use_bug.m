const N: 3;
type P: scalarset(N);
var a: array[P] of boolean; b: boolean;
startstate begin b := true; end;
ruleset i: P do rule isundefined(a[i]) ==> begin a[i] := false; end; end;
rule forall i: P do b -> a[i] end ==> begin b := false; end;
