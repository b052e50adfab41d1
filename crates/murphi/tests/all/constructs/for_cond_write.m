const N: 3;
type P: scalarset(N);
var a: array[P] of boolean; x: 0..2; y: boolean;
startstate begin x := 0; y := false; for i: P do a[i] := false; end; end;
ruleset i: P do rule begin a[i] := true; end; rule begin a[i] := false; end; end;
rule begin x := 0; for i: P do if a[i] then x := 1; end; end; if x = 0 then y := true; else x := 2; end; end;
rule begin for i: P do a[i] := !a[i]; if a[i] then y := false; end; end; end;
