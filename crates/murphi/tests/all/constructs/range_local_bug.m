const N: 3;
type P: scalarset(N);
var x: 0..3; y: 0..3; a: array[P] of boolean;
procedure f(v: 1..2); begin y := v; end;
startstate begin x := 1; y := 1; for i: P do a[i] := false; end; end;
ruleset i: P do rule x < 3 ==> begin x := x + 1; end; rule x != 3 | a[i] ==> begin f(x); a[i] := !a[i]; end; end;
