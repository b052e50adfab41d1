const N: 3;
type P: scalarset(N);
var a: array[P] of 0..3; x: 0..3;
procedure swap(var p, q: 0..3); var t: 0..3; begin t := p; p := q; q := t; end;
function pick(v: 0..3; i: P): 0..3; begin if v = 0 then return 1; elsif a[i] = 1 then return 2; end; if v = 1 then return a[i]; end; return 3; end;
procedure early(var p: 0..3); begin if p = 2 then return; end; p := 2; if x = 0 then return; else x := 0; end; p := 1; end;
startstate begin x := 3; for i: P do a[i] := 0; end; end;
ruleset i: P; j: P do
rule begin swap(a[i], a[j]); end; rule begin swap(a[i], x); end;
rule begin a[j] := pick(a[i], j); end;
rule begin early(a[i]); end;
rule begin early(x); a[i] := x; end;
end;
