-- not for rumur: it does not check the range of a result
const N: 3;
type P: scalarset(N);
var x: 0..3; y: 0..3; a: array[P] of boolean;
function f(v: 0..3): 0..2; begin return v; end;
startstate begin x := 1; y := 1; for i: P do a[i] := false; end; end;
ruleset i: P do rule x < 3 ==> begin x := x + 1; end; rule !a[i] ==> begin y := f(x) + 0; a[i] := true; end; end;
