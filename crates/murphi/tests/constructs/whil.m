const N: 3;
type P: scalarset(N);
var a: array[P] of boolean; x, y: 0..5;
startstate begin x := 0; y := 0; for i: P do a[i] := false; end; end;
ruleset i: P do rule begin while x < 3 & !a[i] do x := x + 1; if x = 2 then a[i] := true; end; end; end;
rule a[i] ==> begin y := 0; while y < x do y := y + 2; end; x := 0; a[i] := y > 2; end; end;
