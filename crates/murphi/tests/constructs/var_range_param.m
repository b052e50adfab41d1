const N: 3;
type P: scalarset(N);
var a: array[P] of boolean; x: 0..3;
procedure f(var v: 0..1); begin v := v + 1; end;
startstate begin x := 0; for i: P do a[i] := false; end; end;
rule x < 3 ==> begin f(x); end;
