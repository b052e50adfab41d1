const N: 3;
type P: scalarset(N);
type A: array[P] of 0..1; R: record a: A; b: array[boolean] of boolean; end;
var s, n: R; h: array[boolean] of A;
startstate begin for i: P do s.a[i] := 0; end; s.b[false] := true; s.b[true] := false; n := s; for c: boolean do h[c] := s.a; end; end;
ruleset i: P do rule begin n := s; n.a[i] := 1 - s.a[i]; n.b[n.a[i] = 1] := !n.b[false]; s := n; end;
rule s.b[s.a[i] = 0] ==> begin h[s.b[true]] := n.a; h[false][i] := 1; s.a := h[s.b[false]]; end; end;
