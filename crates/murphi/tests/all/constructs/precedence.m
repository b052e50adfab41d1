const N: 3;
type P: scalarset(N);
var x: 0..3; b, c, d: boolean; a: array[P] of boolean;
startstate begin x := 0; b := false; c := false; d := false; for i: P do a[i] := false; end; end;
rule x < 3 ==> begin x := x + 1; end; rule begin b := !b; end; rule begin c := !c; end;
rule ! x = 2 ==> begin d := b -> c | b & !c; end;
rule b | c & x > 1 ==> begin d := b & c -> x = 1 | d; x := 3 - x; end;
rule x != 1 & 2 * x - 1 - 1 >= -1 + 1 ==> begin d := (x = 2 ? b : c) ; x := b ? (c ? 1 : 2) : 3; end;
rule (b = c) = (x <= 1) ==> begin d := !b & c | !(c -> b); for i: P do a[i] := d; end; end;
