const N: 3;
type P: scalarset(N);
var a: array[P] of boolean; c: 0..N; d: 0..N;
startstate begin d := 0; for i: P do a[i] := false; end; end;
ruleset i: P do rule begin a[i] := !a[i]; end; end;
rule isundefined(c) ==> begin c := 1; end;
rule !isundefined(c) & c < N ==> begin c := c + 1; end;
rule !isundefined(c) ==> begin d := c; undefine c; end;
invariant isundefined(c) | c > 0;
