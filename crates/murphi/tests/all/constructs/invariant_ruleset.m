const N: 3;
type P: scalarset(N);
var a: array[P] of 0..2;
startstate begin for i: P do a[i] := 0; end; end;
ruleset i: P do rule a[i] = 0 & forall j: P do a[j] != 1 end ==> begin a[i] := 1; end; rule a[i] = 1 ==> begin a[i] := 0; end; end;
ruleset i: P; j: P do invariant i != j -> !(a[i] = 1 & a[j] = 1); end;
ruleset i: P; v: 0..2 do invariant v != 2 | a[i] != v; end;
