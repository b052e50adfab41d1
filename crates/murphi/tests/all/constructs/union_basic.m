const N: 3;
type P: scalarset(N);
type H: enum{Home}; U: union {H, P};
var o: U; a: array[U] of boolean;
startstate begin o := Home; for i: U do a[i] := false; end; end;
ruleset i: U do rule o != i ==> begin a[o] := false; o := i; a[i] := true; end; end;
ruleset i: P do rule ismember(o, P) & o = i ==> begin a[o] := false; end; end;
invariant forall i: U do a[i] -> o = i end;
