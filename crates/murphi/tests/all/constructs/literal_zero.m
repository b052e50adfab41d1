const N: 3;
type P: 0..N-1;
var x: P; a: array[P] of boolean;
startstate begin x := 0; for i: P do a[i] := i = 0; end; end;
ruleset i: P do rule a[x] & i != x ==> begin a[x] := false; a[i] := true; x := i; end; rule x != 0 & i = x ==> begin clear x; a[i] := false; a[x] := true; end; end;
invariant a[x];
