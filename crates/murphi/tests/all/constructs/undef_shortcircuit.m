const N: 3;
type P: scalarset(N);
type E: enum{e1,e2};
var a: array[P] of E; d: array[P] of boolean;
startstate begin for i: P do d[i] := false; end; end;
ruleset i: P do
rule d[i] & a[i] = e1 ==> begin a[i] := e2; end;
rule !d[i] | a[i] = e2 ==> begin a[i] := e1; d[i] := true; end;
rule d[i] -> a[i] = e2 ==> begin undefine a[i]; d[i] := false; end;
end;
invariant forall i: P do !d[i] | a[i] != e1 | a[i] = e1 end;
