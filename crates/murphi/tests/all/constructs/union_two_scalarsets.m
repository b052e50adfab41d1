const N: 3; M: 2;
type P: scalarset(N); Q: scalarset(M); U: union{P,Q};
var o: U; a: array[P] of array[Q] of boolean; b: array[U] of 0..1;
startstate begin undefine o; for i: P do for j: Q do a[i][j] := false; end; end; for u: U do b[u] := 0; end; end;
ruleset u: U do rule isundefined(o) ==> begin o := u; b[u] := 1 - b[u]; end; end;
ruleset i: P; j: Q do rule !isundefined(o) & (o = i | o = j) ==> begin a[i][j] := b[o] = 1; undefine o; end; end;
