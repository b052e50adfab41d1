-- not for rumur: its C does not compile
const N: 3;
type P: scalarset(N);
const K: 2; L: K * 2 - 1;
var x: 0..L; i: 0..1; a: array[P] of boolean;
procedure x1(i: 0..1); var x: 0..1; begin x := i; if x = 0 then for i: P do a[i] := !a[i]; end; end; end;
startstate begin x := 0; i := 0; for i: P do a[i] := false; end; end;
ruleset i: P do rule const K: 1; var x: 0..K; begin x := K; a[i] := x = 1; end; end;
rule begin for x: P do a[x] := !a[x]; end; i := 1; x := exists x: P do a[x] end ? L : 0; end;
rule begin x1(i); i := 1 - i; end;
