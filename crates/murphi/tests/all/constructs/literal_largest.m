-- sizes: 3
const N: 3;
type P: 1..N;
var x: P; a: array[P] of boolean; bad: boolean;
startstate begin x := 1; bad := false; for i: P do a[i] := false; end; end;
ruleset i: P do rule i = 3 ==> begin bad := true; end; end;
invariant bad = bad;
