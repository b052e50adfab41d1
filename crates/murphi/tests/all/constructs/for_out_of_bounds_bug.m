const N: 3;
type P: scalarset(N);
var a: array[P] of boolean; x: array[0..3] of boolean;
startstate begin for i: 0..3 do x[i] := false; end; for i: P do a[i] := false; end; end;
ruleset i: P do rule begin a[i] := true; end; end;
rule begin for i := 0 to 4 do if exists j: P do a[j] end then x[i] := true; end; end; end;
