const N: 3;
type P: scalarset(N);
var a: array[P] of boolean; b: array[P] of boolean;
startstate begin for i: P do a[i] := false; b[i] := false; end; end;
ruleset i: P do rule begin a[i] := true; end; end;
ruleset i: P do rule a[i] ==> begin b[i] := true; for j: P do assert j = i | !b[j] | !a[j]; end; end; end;
