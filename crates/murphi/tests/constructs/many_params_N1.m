const N: 3;
type P: scalarset(N);
var a: array[P] of 0..3;
startstate begin for i: P do a[i] := 0; end; end;
ruleset i: P; j: P; k: P; l: P do rule i != j & k = l & (a[i] + a[k]) % 4 = 0 ==> begin a[i] := 1; a[j] := (a[l] + a[i]) % 4; end; end;
