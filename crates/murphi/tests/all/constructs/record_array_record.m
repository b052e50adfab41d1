const N: 3;
type P: scalarset(N);
type E: enum{e1,e2,e3}; S: 0..1;
 R: record f: array[E] of record g: boolean; h: S; end; k: array[P] of S; end;
var r: array[S] of R; e: E;
startstate begin e := e1; for s: S do for x: E do r[s].f[x].g := false; r[s].f[x].h := 0; end; for i: P do r[s].k[i] := 0; end; end; end;
ruleset i: P; s: S do
rule r[s].k[i] = 0 ==> begin r[s].k[i] := 1; r[s].f[e].g := !r[s].f[e].g; end;
rule r[s].k[i] = 1 ==> begin r[s].k[i] := 0; r[1-s].f[e].h := r[s].f[e].h; if e = e1 then e := e2; else e := e1; end; end;
end;
invariant !r[0].f[e3].g;
