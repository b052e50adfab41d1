const N: 3;
type P: scalarset(N);
var x, y: P; a: array[P] of 0..2; n: array[P] of P;
ruleset s: P do startstate begin x := s; y := s; for i: P do a[i] := 0; n[i] := i; end; end; end;
ruleset i: P do
rule begin n[x] := i; x := n[i]; end;
rule begin a[n[x]] := 1; a[n[y]] := 2; y := n[n[i]]; a[i] := a[n[i]]; end;
end;
