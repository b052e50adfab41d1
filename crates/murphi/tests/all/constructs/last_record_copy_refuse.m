const N: 3;
type P: scalarset(N);
type R: record f: 0..2; g: boolean; end;
var a: array[P] of R; s: R; d: boolean;
startstate begin s.f := 0; s.g := false; d := false; for i: P do a[i].f := 1; a[i].g := false; end; end;
rule !d ==> var l: R; begin for p: P do l := a[p]; end; s := l; d := true; end;
invariant d -> s.f = 1;
