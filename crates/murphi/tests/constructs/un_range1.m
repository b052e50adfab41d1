-- norumur
const N: 3;
type P: scalarset(N);
type H: enum{A,B}; S: 5..7; U: union {S, H};
var o: U; a: array[P] of boolean; d: boolean;
startstate begin o := 5; d := false; for i: P do a[i] := false; end; end;
ruleset s: S do rule begin o := s; end; end;
rule o = 7 ==> begin d := true; end;
invariant !d;
