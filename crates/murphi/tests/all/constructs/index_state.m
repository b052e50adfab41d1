const N: 3;
type P: scalarset(N);
var a: array[0..2] of 0..2; x: 0..2; b: array[P] of boolean;
startstate begin for i: 0..2 do a[i] := i; end; x := 0; for i: P do b[i] := false; end; end;
rule begin a[x] := a[a[x]]; x := (x + 1) % 3; end;
rule begin a[a[x]] := x; end;
ruleset i: P do rule a[x] = 1 ==> begin b[i] := !b[i]; end; end;
