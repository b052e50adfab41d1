const N: 3;
type P: 1..N;
var x: P; c: 1..1; a: array[P] of boolean;
startstate begin c := 1; x := 1; for i: P do a[i] := false; end; end;
ruleset i: P do rule begin x := i; end; end;
rule begin x := c; end;
