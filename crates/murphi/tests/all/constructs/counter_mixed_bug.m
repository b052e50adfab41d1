const N: 3;
type P: scalarset(N);
var a: array[P] of boolean; c: 0..N; x: 0..2;
startstate begin c := N; x := 0; for i: P do a[i] := false; end; end;
ruleset i: P do rule begin a[i] := !a[i]; end; end;
rule begin x := c; end;
