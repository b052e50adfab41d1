const N: 3;
type P: scalarset(N);
var a: array[P] of boolean; x, y: 0..2;
startstate begin x := 0; for i: P do a[i] := false; end; end;
ruleset i: P do rule (x = 2 ? y = x : x = 0) ==> begin a[i] := true; end; rule begin x := (x + 1) % 3; end; end;
