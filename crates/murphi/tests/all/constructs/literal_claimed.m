-- Only invariants call processes by numbers.
const N: 3;
type P: 1..N;
-- sizes: 2, 3
var a: array[P] of boolean; one: boolean;
startstate begin one := false; for i: P do a[i] := false; end; end;
ruleset i: P do
  rule !one ==> begin a[i] := true; one := true; end;
  rule a[i] ==> begin a[i] := false; one := false; end;
end;
invariant !(a[1] & a[2]);
invariant a[2] -> one;
ruleset i: P; j: P do invariant i = j | i = 2 & j = 1 | !(a[i] & a[j]) end;
invariant forall i: P do i != 1 & a[1] -> !a[i] end;
