const N: 3;
type P: scalarset(N);
var a: array[P] of 0..2; x: 0..2;
function g(i: P): boolean; begin if a[i] = 0 then a[i] := 1; return true; elsif a[i] = 1 then if x = 0 then return false; end; a[i] := 2; end; x := 1; return x = a[i]; end;
function h(i: P; j: P): 0..2; begin if g(i) then if g(j) then return 0; end; return a[i]; end; if i = j then return 2; else x := 0; end; return a[j]; end;
startstate begin x := 0; for i: P do a[i] := 0; end; end;
ruleset i: P; j: P do rule begin x := h(i,j); end; rule a[i] = 2 ==> begin a[j] := 0; end; end;
