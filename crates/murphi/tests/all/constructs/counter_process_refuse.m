const N: 3;
type P: 1..N;
var a: array[P] of boolean; c: 0..N;
startstate begin c := 0; for i: P do a[i] := false; end; end;
rule c > 0 ==> begin a[c] := true; end;
