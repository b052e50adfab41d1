const N: 3;
type P: 1..N;
var a: array[P] of boolean; c: 1..1;
startstate begin c := 1; for i: P do a[i] := false; end; end;
rule begin a[c] := !a[c]; end;
