const N: 3;
type P: scalarset(N);
var x: 0..3; y: 1..2; a: array[P] of boolean;
startstate begin x := 1; y := 1; for i: P do a[i] := false; end; end;
ruleset i: P do rule x < 3 ==> begin x := x + 1; end; rule !a[i] ==> begin a[i] := true; y := x; end; end;
