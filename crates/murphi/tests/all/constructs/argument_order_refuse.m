const N: 3;
type P: scalarset(N);
var a: array[P] of boolean; x,y: 0..3;
function f(u: 0..3; v: 0..3): 0..3; begin return (u + 2 * v) % 4; end;
function g(): 0..3; begin x := (x + 1) % 4; return x; end;
startstate begin x := 0; y := 0; for i: P do a[i] := false; end; end;
rule begin y := f(x, g()); end;
rule begin y := f(g(), x); end;
