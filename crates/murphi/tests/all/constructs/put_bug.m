const N: 3;
type P: scalarset(N);
var a: array[P] of boolean; t: array[0..2] of 0..3; x: 0..3;
startstate begin x := 0; for i: 0..2 do t[i] := 0; end; for i: P do a[i] := false; end; end;
rule x < 3 ==> begin x := x + 1; end;
rule begin put t[x]; end;
