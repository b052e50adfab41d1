-- sizes: 3
const N: 3;
type P: 1..N;
var a: array[P] of boolean; bad: boolean;
startstate begin bad := false; for i: P do a[i] := false; end; end;
rule begin a[3] := true; end;
invariant !bad;
