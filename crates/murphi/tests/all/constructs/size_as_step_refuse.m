const N: 3;
type P: scalarset(N);
var c: array[0..8] of boolean; a: array[P] of boolean;
startstate begin for i: P do a[i] := false; end; for i: 0..8 do c[i] := false; end; end;
rule begin for i := 0 to 8 by N do c[i] := true; end; end;
invariant !c[4];
