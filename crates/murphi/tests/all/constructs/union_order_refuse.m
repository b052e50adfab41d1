const N: 3;
type P: scalarset(N); H: enum{Home}; U: union {P, H};
var a: array[U] of boolean; x: 0..2;
startstate begin x := 0; for i: U do a[i] := false; end; end;
rule begin for i: U do if i = Home then x := 1; else x := 2; end; end; end;
invariant x != 2;
