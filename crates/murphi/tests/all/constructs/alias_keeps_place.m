const N: 3;
type P: scalarset(N);
var a: array[P] of 0..3; x: P;
ruleset s: P do startstate begin x := s; for i: P do a[i] := 0; end; end; end;
ruleset i: P; j: P do
rule a[i] < 3 ==> begin a[i] := a[i] + 1; a[j] := a[i]; end;
rule begin alias c: a[x] do x := i; c := 2; a[x] := (a[j] > 1) ? 0 : 1; end; end;
rule begin alias c: a[x]; d: a[j] do c := d; x := j; d := 3 - c; end; end;
end;
