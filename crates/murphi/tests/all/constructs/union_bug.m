const N: 3;
type P: scalarset(N);
type H: enum{Home}; U: union {H, P};
var o: U; p: P; a: array[U] of boolean;
ruleset q: P do startstate begin o := Home; p := q; for i: U do a[i] := false; end; end; end;
ruleset i: U do rule o != i ==> begin o := i; end; end;
rule a[Home] ==> begin p := o; end;
ruleset i: U do rule begin a[i] := true; end; end;
