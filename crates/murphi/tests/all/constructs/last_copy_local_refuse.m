const N: 3;
type P: scalarset(N);
var y: P; a: array[P] of boolean; d: boolean;
startstate begin d := false; for i: P do a[i] := false; end; end;
ruleset i: P do rule !d ==> begin a[i] := true; y := i; end;
rule !d & exists j: P do a[j] end ==> var t: P; begin for p: P do if a[p] then t := p; end; end; y := t; d := true; end; end;
invariant d -> a[y];
