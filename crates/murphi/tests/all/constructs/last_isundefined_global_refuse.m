const N: 3;
type P: scalarset(N);
var x: P; y: P; a: array[P] of boolean; d: boolean;
startstate begin d := false; for i: P do a[i] := false; end; undefine x; undefine y; end;
ruleset i: P do rule begin a[i] := true; end; end;
rule !d ==> begin for p: P do if a[p] then x := p; end; end; d := isundefined(x); end;
invariant !d;
