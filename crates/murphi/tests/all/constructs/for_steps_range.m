-- not for rumur: it crashes on such a quantifier
const N: 3;
type P: scalarset(N);
var a: array[P] of boolean; x: array[0..3] of boolean;
startstate begin for i: 0..3 do x[i] := false; end; for i: P do a[i] := false; end; end;
ruleset k := 0 to 3 by 3; i: P do rule begin x[k] := !x[k]; a[i] := exists j := 0 to 3 by 2 do x[j] end; end; end;
