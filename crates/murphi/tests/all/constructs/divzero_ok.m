const N: 3;
type P: scalarset(N);
var x: -1..3; a: array[P] of boolean;
startstate begin x := 3; for i: P do a[i] := false; end; end;
ruleset i: P do rule x > 0 ==> begin x := x - 1; end; rule x > 0 & 4 / x > 1 ==> begin a[i] := true; end; end;
invariant x = 0 | 3 / x > 0;
