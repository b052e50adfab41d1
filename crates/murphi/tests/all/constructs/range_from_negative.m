const N: 3;
type P: -1..N;
var a: array[P] of boolean;
startstate begin for i: P do a[i] := i = -1; end; end;
ruleset i: P do rule a[-1] & i != -1 ==> begin a[i] := true; end; end;
