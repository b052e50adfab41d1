const N: 3;
type P: scalarset(N);
var a: array[P] of boolean;
startstate begin for i: P do a[i] := false; end; end;
ruleset i: P do
rule a[i] ==> begin for j: P do a[j] := false; end; end;
rule !a[i] ==> var t: boolean; begin t := !a[i]; a[i] := t; end;
end;
