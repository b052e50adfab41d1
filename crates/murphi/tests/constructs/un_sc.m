-- norumur
const N: 3;
type P: scalarset(N);
type H: enum{Home}; U: union {H, P};
var o: U; a: array[U] of boolean; d: boolean;
startstate begin d := false; o := Home; a[Home] := true; end;
rule exists i: U do a[i] end ==> begin d := true; end;
invariant o = Home;
