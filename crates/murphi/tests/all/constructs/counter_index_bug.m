const N: 3;
type P: scalarset(N);
var a: array[P] of boolean; c: 0..N; t: array[0..1] of boolean;
startstate begin c := 0; t[0] := false; t[1] := false; for i: P do a[i] := false; end; end;
ruleset i: P do rule begin a[i] := !a[i]; end; end;
rule begin t[c] := true; if c < N then c := c + 1 end; end;
