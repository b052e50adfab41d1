const N: 3;
type P: scalarset(N);
var a: array[P] of boolean; x: 0..3;
startstate begin x := 0; for i: P do a[i] := false; end; for i := 0 to 1000000000000 do x := 1; end; end;
ruleset i: P do rule a[i] ==> begin a[i] := true; end; end;
