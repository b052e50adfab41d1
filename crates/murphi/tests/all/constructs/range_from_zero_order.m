const N: 3;
type P: 0..N-1;
var x: P; a: array[P] of boolean;
startstate begin clear x; for i: P do a[i] := i = 0; end; end;
ruleset i: P do rule x < i ==> begin x := i; a[i] := true; end; end;
invariant exists i: P do i <= x & a[i] end;
