const N: 3;
type P: scalarset(N);
type S: 0..2;
var a: array[S] of 0..1; x: 0..3; b: array[P] of boolean;
startstate begin a[0] := 1; a[2] := 1; x := 0; for i: P do b[i] := false; end; end;
rule x < 3 ==> begin x := x + 1; a[0] := x % 2; end;
ruleset i: P do rule exists s: S do a[s] = 1 end ==> begin b[i] := true; end; end;
