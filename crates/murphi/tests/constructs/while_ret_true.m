const N: 3;
type P: scalarset(N);
var a: array[P] of boolean; x: 0..5;
startstate begin x := 0; for i: P do a[i] := false; end; end;
rule begin while true do if x >= 3 then return; end; x := x + 1; end; end;
