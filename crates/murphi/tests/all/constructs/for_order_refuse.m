const N: 3;
type P: scalarset(N);
var a: array[P] of boolean; x: 0..3;
startstate begin x := 0; for i: P do a[i] := false; end; end;
rule begin for i: P do if x < 3 then x := x + 1; a[i] := true; end; end; end;
