const N: 3;
type P: scalarset(N);
type S: -8..8;
var x: S; y: S; a: array[P] of boolean;
startstate begin x := -8; y := 0; for i: P do a[i] := false; end; end;
rule x < 8 ==> begin x := x + 1; end;
ruleset i: P; d: -3..3 do rule d != 0 ==> begin y := x / d + x % d; a[i] := -x % d < 0 | x - 1 - 1 > 5; end; end;
