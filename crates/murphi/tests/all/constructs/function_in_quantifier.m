const N: 3;
type P: scalarset(N);
var a: array[P] of 0..2;
function g(v: 0..2): boolean; begin return v = 2; end;
startstate begin for i: P do a[i] := 0; end; end;
ruleset i: P do rule exists j: P do !g(a[j]) end ==> begin a[i] := (a[i] + 1) % 3; end; end;
