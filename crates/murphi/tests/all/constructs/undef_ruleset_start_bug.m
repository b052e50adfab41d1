const N: 3;
type P: scalarset(N);
var a: array[P] of boolean;
ruleset i: P do startstate begin a[i] := false; end; end;
ruleset i: P do rule !a[i] ==> begin a[i] := true; end; end;
