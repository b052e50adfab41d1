-- Only invariants call processes by numbers. With two processes, the first invariant says nothing.
const N: 3;
type P: 1..N;
-- sizes: 2, 3
var a: array[P] of boolean;
startstate begin for i: P do a[i] := false; end; end;
ruleset i: P do
  rule !a[i] ==> begin a[i] := true; end;
end;
ruleset i: P do invariant i = 1 | i = 2 | !(a[1] & a[i]) end;
invariant !(a[2] & !a[1]);
