-- not for rumur: bounds have to be constants
const N: 3;
type P: scalarset(N);
var a: array[P] of boolean; x: 0..3;
startstate begin x := 0; for i: P do a[i] := false; end; end;
ruleset i: 0..2; j := i to 3 do rule x = i ==> begin x := j; end; end;
