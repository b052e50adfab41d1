const N: 3;
type P: scalarset(N);
type R: record f: array[P] of boolean; g: 0..2; h: array[0..1] of P; end;
var r: R; q: array[boolean] of R;
startstate begin undefine r; r.g := 0; for b: boolean do q[b].g := 1; end; end;
ruleset i: P; c: boolean do
rule isundefined(r.f[i]) ==> begin r.f[i] := c; r.h[r.g % 2] := i; end;
rule r.g < 2 ==> begin q[c] := r; undefine r; r.g := q[c].g + 1; end;
rule r.g = 2 & !isundefined(q[c].f[i]) ==> begin r := q[c]; if r.f[i] then undefine q[!c].f; end; end;
end;
