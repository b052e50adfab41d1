const N: 3;
type P: scalarset(N);
var a: array[P] of boolean; x: 0..2;
startstate begin x := 0; for i: P do a[i] := false; end; end;
ruleset i: P do rule begin a[i] := true; end; end;
rule begin for i: P do if a[i] then x := 1; else x := 2; end; end; end;
invariant x < 3;
