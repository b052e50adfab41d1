const N: 3;
type P: scalarset(N);
var a, b: array[P] of boolean; c: 0..N;
startstate begin c := 0; for i: P do a[i] := false; b[i] := false; end; end;
ruleset i: P do
  rule !a[i] ==> begin a[i] := true; c := c + 1; end;
  rule a[i] ==> begin a[i] := false; c := c - 1; end;
end;
rule c = N ==> begin for i: P do a[i] := false; end; c := 0; end;
invariant c = 0 -> forall i: P do !a[i] end;
invariant c = N -> forall i: P do a[i] end;
invariant c != N + 1 & c >= 0 & c - 1 < N;
