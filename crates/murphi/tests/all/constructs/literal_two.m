const N: 3;
type P: 1..N;
-- sizes: 2, 3
var x, y: P; a: array[P] of boolean; bad: boolean;
startstate begin x := 1; y := 2; bad := false; for i: P do a[i] := false; end; end;
rule x > y ==> begin bad := true; end;
invariant !bad;
