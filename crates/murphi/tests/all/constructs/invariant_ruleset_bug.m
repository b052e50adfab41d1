const N: 3;
type P: scalarset(N);
-- sizes: 2, 3
var a: array[P] of 0..2;
startstate begin for i: P do a[i] := 0; end; end;
ruleset i: P do rule a[i] = 0 ==> begin a[i] := 1; end; rule a[i] = 1 ==> begin a[i] := 0; end; end;
ruleset i: P; j: P do invariant i != j -> !(a[i] = 1 & a[j] = 1); end;
