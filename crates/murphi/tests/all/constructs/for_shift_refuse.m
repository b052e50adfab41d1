const N: 3;
type P: 1..N;
var a: array[P] of boolean;
startstate begin for i: P do a[i] := i = 1; end; end;
rule begin for i: P do for j: P do if i < j & a[i] then a[j] := true; end; end; end; end;
