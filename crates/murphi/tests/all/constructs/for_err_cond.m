const N: 3;
type P: scalarset(N);
var a: array[P] of boolean; x: 0..2; t: array[0..1] of boolean;
startstate begin x := 0; t[0] := false; t[1] := false; for i: P do a[i] := false; end; end;
ruleset i: P do rule begin a[i] := true; end; end;
rule x < 2 ==> begin x := x + 1; end;
rule x < 2 | forall j: P do !a[j] end ==> begin for j: P do if a[j] then t[x] := true; end; end; end;
invariant x < 3;
