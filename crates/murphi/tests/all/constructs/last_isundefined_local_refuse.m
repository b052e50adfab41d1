const N: 3;
type P: scalarset(N);
var a: array[P] of boolean; d: boolean;
startstate begin d := false; for i: P do a[i] := false; end; end;
ruleset i: P do rule begin a[i] := true; end; end;
rule !d ==> var t: P; begin for p: P do if a[p] then t := p; end; end; if isundefined(t) then d := true; end; end;
invariant !d;
