const N: 3;
type P: scalarset(N);
var u: array[P] of boolean; v: boolean; w: boolean; a: array[P] of boolean;
startstate begin w := false; v := false; for i: P do a[i] := false; end; end;
ruleset i: P do rule begin v := u[i]; end; rule begin w := v; end; rule w ==> begin a[i] := true; end; end;
invariant forall i: P do !a[i] end;
