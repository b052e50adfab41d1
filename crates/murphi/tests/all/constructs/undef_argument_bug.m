const N: 3;
type P: scalarset(N);
var u: array[P] of boolean; w: boolean;
function f(b: boolean): boolean; begin return b; end;
startstate begin w := false; end;
ruleset i: P do rule !w ==> begin w := f(u[i]); end; end;
