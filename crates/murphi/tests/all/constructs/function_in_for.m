const N: 3;
type P: scalarset(N);
var a: array[P] of 0..2; b: array[P] of boolean; x: 0..2;
function g(v: 0..2): 0..2; var t: 0..2; begin t := v; if t = 2 then return 0; end; t := t + 1; return t; end;
procedure setb(i: P; v: boolean); begin if a[i] = 1 then b[i] := v; return; end; b[i] := !v; end;
startstate begin x := 0; for i: P do a[i] := 0; b[i] := false; end; end;
ruleset i: P do rule begin a[i] := g(a[i]); end; end;
rule begin for i: P do setb(i, x = 0); a[i] := g(a[i]); end; x := g(x); end;
