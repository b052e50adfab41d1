const N: 3;
type P: scalarset(N);
type E: enum{e1,e2,e3};
var a: array[P] of E; x: 0..4;
startstate begin x := 0; for i: P do a[i] := e1; end; end;
ruleset i: P do rule begin switch a[i] case e1: a[i] := e2; switch x case 0,2: x := x + 1; case 1,3: x := x + 1; else x := 0; end; case e2: if x = 2 then return; end; a[i] := e3; case e3: a[i] := e1; end; end;
rule begin switch a[i] case e2: x := 0; end; end; end;
