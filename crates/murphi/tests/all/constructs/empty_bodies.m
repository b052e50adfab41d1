const N: 3;
type P: scalarset(N);
var a: array[P] of boolean;
startstate begin for i: P do a[i] := false; end; end;
ruleset i: P do rule a[i] ==> end; rule !a[i] ==> begin if a[i] then end; for j: P do end; a[i] := true; end; end;
