const N: 3;
type P: 1..N;
var a: array[P] of boolean; c: 0..9;
startstate begin c := 0; for i: P do a[i] := false; end; end;
ruleset i: P do rule c = i ==> begin a[i] := true; end; end;
rule c < 9 ==> begin c := c + 1; end;
