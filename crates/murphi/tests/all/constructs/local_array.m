const N: 3;
type P: scalarset(N);
type A: array[P] of 0..2;
var a: A; x: 0..2;
startstate begin x := 0; for i: P do a[i] := 0; end; end;
ruleset i: P do rule var l: A; begin l := a; a[i] := (a[i] + 1) % 3; for j: P do if l[j] != a[j] then l[j] := 2; else a[j] := 0; end; end; l[i] := l[i]; if x = l[i] then x := 1; else x := 0; end; end; end;
