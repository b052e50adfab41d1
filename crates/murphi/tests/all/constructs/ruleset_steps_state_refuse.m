const N: 3;
type P: scalarset(N);
var a: array[P] of boolean; x, y: 0..3;
startstate begin x := 0; y := 0; for i: P do a[i] := false; end; end;
rule x = 0 ==> begin x := 1; end;
rule x = 1 ==> begin x := 2; end;
ruleset j := 0 to x do rule begin y := j; end; end;
