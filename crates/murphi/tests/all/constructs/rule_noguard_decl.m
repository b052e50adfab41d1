const N: 3;
type P: scalarset(N);
var a: array[P] of boolean;
startstate for i: P do a[i] := false; end; end;
ruleset i: P do rule "x" var t: boolean; begin t := !a[i]; a[i] := t; end; end;
