const N: 3;
type P: 1..N;
-- sizes: 2, 3
var a: array[P] of boolean; c: 0..2;
startstate begin c := 0; for i: P do a[i] := false; end; end;
ruleset i: 1..2 do rule !a[i] ==> begin a[i] := true; c := i; end; end;
rule c > 0 ==> begin c := 0; end;
invariant c = 0 | c = 1 | c = 2;
