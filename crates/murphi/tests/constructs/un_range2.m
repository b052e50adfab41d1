-- norumur
const N: 3;
type P: scalarset(N);
type H: enum{A,B}; S: 5..7; U: union {S, H};
var o: U; x: S; y: 0..9; a: array[P] of boolean; d: boolean;
startstate begin o := 5; y := 0; x := 5; d := false; for i: P do a[i] := false; end; end;
rule begin o := A; end; rule begin o := 6; end;
rule begin x := o; d := x = 6; end;
invariant !d;
