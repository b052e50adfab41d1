const N: 3;
type P: scalarset(N);
type E: enum{e1,e2};
var a: array[P] of E; d: array[P] of boolean;
startstate begin for i: P do d[i] := false; end; end;
ruleset i: P do
rule !d[i] ==> begin d[i] := true; a[i] := e1; end;
rule d[i] ==> begin undefine a[i]; end;
end;
invariant forall i: P do d[i] -> a[i] = e1 end;
