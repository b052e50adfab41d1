const N: 3; M: N + 1;
type P: scalarset(M);
var a: array[P] of boolean;
startstate begin for i: P do a[i] := false; end; end;
ruleset i: P do rule begin a[i] := true; end; end;
