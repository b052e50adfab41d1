const N: 3;
type P: 1..N;
var a: array[1..N] of boolean; b: array[P] of 0..1; x: 1..N;
ruleset q: 1..N do startstate begin x := q; for i: 1..N do a[i] := false; b[i] := 0; end; end; end;
ruleset i: P; j: 1..N do rule i < j & !a[i] ==> begin a[j] := true; b[i] := 1; x := j; end; end;
invariant forall i: 1..N do b[i] = 0 | exists j: P do a[j] end end;
