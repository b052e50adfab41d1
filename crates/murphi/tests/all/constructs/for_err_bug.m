const N: 3;
type P: scalarset(N);
var a: array[P] of 0..2; d: array[P] of boolean;
startstate begin for i: P do a[i] := 0; d[i] := false; end; end;
ruleset i: P do rule begin d[i] := true; end; end;
rule begin for j: P do if d[j] then a[j] := a[j] + 1; end; end; end;
