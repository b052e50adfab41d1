const N: 3;
type P: scalarset(N);
var a, b: array[P] of boolean; c: 0..N;
startstate begin c := 0; for i: P do a[i] := false; b[i] := false; end; end;
rule begin for k := 0 to c do c := 0 end; end;
