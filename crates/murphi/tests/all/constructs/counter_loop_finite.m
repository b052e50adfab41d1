const N: 3;
type P: scalarset(N);
var a: array[P] of boolean; c: 0..3; t: array[0..3] of boolean;
startstate begin c := 0; for i: P do a[i] := false; end; for i: 0..3 do t[i] := false; end; end;
ruleset i: P do rule begin a[i] := !a[i]; end; end;
rule begin c := 0; for k: P do if a[k] then c := c + 1; end; end; t[c] := !t[c]; end;
