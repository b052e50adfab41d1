const N: 3;
type P: scalarset(N);
var a: array[P] of boolean; x: 0..3;
function f(v: 0..3): 0..3; begin if v = 0 then return 0; end; return (f(v-1) + f(v-1)) % 4; end;
startstate begin x := 3; for i: P do a[i] := false; end; end;
rule begin x := f(x); end;
