const N: 3; M: N + 1;
type P: scalarset(M);
var a: array[P] of boolean; c: 0..N; d: 1..2*M;
startstate begin c := 0; d := N + M; for i: P do a[i] := false; end; end;
ruleset i: P do rule begin a[i] := !a[i]; end; end;
rule c < N ==> begin c := c + 1; end;
rule c = N ==> begin d := c + 1; end;
rule d = M ==> begin c := 0; end;
