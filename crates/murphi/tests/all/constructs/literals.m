const N: 3;
type P: 1..N;
-- sizes: 2, 3
const Home: 1;
var x: P; a: array[P] of 0..2;
startstate begin x := Home; for i: P do a[i] := (i = Home) ? 1 : 0; end; end;
ruleset i: P do rule i != Home & a[Home] = 1 ==> begin a[Home] := 0; a[i] := 1; x := i; end;
rule x = i ==> begin a[i] := 2; a[1] := 1; x := Home; end;
rule i = 2 ==> begin switch x case 1: x := 2; case 2: x := 1; a[2] := 0; end; end; end;
