const N: 3;
type P: scalarset(N);
var a: array[P] of boolean; x: 0..100000;
startstate begin x := 0; for i: P do a[i] := false; end; end;
ruleset i: P do rule x < 5 ==> begin x := x + 1; end; end;
