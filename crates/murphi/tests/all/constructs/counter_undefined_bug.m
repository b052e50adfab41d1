const N: 3;
type P: scalarset(N);
var a: array[P] of boolean; c: 0..N;
startstate begin undefine c; for i: P do a[i] := false; end; end;
ruleset i: P do rule begin a[i] := !a[i]; end; end;
rule begin c := c + 1; end;
