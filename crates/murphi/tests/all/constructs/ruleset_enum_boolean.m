const N: 3;
type P: scalarset(N);
type E: enum{e1,e2};
var a: array[P] of E; b: boolean;
startstate begin b := false; for i: P do a[i] := e1; end; end;
ruleset e: E; i: P; c: boolean do rule a[i] = e & b = c ==> begin b := !c; if e = e1 then a[i] := e2; end; end; end;
