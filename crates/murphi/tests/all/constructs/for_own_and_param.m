const N: 3;
type P: scalarset(N);
var a: array[P] of 0..2;
startstate begin for i: P do a[i] := 0; end; end;
ruleset i: P do
rule begin for j: P do if j != i then a[j] := 1; end; end; a[i] := 2; end;
rule begin a[i] := 1; for j: P do a[j] := (a[j] = 2) ? 0 : a[j]; end; end;
end;
