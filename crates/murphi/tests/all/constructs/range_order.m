const N: 3;
type P: 1..N;
var a: array[P] of 0..2; x: P;
ruleset s: P do startstate begin x := s; for i: P do a[i] := 0; end; end; end;
ruleset i: P; j: P do
rule i < j & a[i] = 0 ==> begin a[i] := 1; a[j] := a[j] = 2 ? 0 : 2; end;
rule i >= j & x <= i & !(x > j) ==> begin x := j; a[x] := a[i]; end;
rule forall k: P do k > i -> a[k] = 1 end ==> begin a[i] := 1; x := i; end; end;
