const N: 3;
type P: scalarset(N);
var a: array[P] of boolean; x: 0..3;
startstate begin x := 0; for i: P do a[i] := false; end; end;
ruleset i: P do rule begin while !a[i] do x := (x + 1) % 4; if x = 2 then a[i] := true; end; end; end; end;
