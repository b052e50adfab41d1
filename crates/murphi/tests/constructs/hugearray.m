const N: 3;
type P: scalarset(N);
var a: array[P] of boolean; x: array[0..99999] of array[0..99999] of boolean;
startstate begin  for i: P do a[i] := false; end; end;
ruleset i: P do rule a[i] ==> begin a[i] := true; end; end;
