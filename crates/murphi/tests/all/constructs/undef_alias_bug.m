const N: 3;
type P: scalarset(N);
var a: array[P] of boolean; x: P;
startstate begin for i: P do a[i] := false; end; end;
ruleset i: P do rule !a[i] ==> begin a[i] := true; x := i; end;
rule begin alias c: a[x] do if !isundefined(x) then c := false; end; end; end; end;
