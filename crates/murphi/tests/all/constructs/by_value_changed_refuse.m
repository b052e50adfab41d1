const N: 3;
type P: scalarset(N);
var a: array[P] of boolean; x, y: 0..3;
procedure f(v: 0..3); begin x := 2; y := v; end;
startstate begin x := 1; y := 0; for i: P do a[i] := false; end; end;
rule begin f(x); end;
