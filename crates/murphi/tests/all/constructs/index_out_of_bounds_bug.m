const N: 3;
type P: scalarset(N);
var a: array[0..2] of 0..2; x: 0..3; b: array[P] of boolean;
startstate begin for i: 0..2 do a[i] := i; end; x := 0; for i: P do b[i] := false; end; end;
rule x < 3 ==> begin x := x + 1; end;
ruleset i: P do rule b[i] | a[x] = 1 ==> begin b[i] := true; end; end;
