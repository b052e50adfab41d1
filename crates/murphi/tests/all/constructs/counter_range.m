const N: 3;
type P: 1..N; C: 0..N;
var a: array[P] of boolean; c: C;
startstate begin c := 0; for i: P do a[i] := false; end; end;
ruleset i: P do rule begin a[i] := !a[i]; end; end;
rule begin c := 0; for k: P do if a[k] then c := c + 1; end; end; end;
