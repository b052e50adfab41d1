const N: 3;
type P: scalarset(N);
var a: array[P] of boolean; x, y: 0..3;
startstate begin for i: P do a[i] := false; end; y := 1; if y = 1 then x := y + 1; end; end;
startstate begin y := 2; for i: P do a[i] := true; end; end;
ruleset i: P do rule a[i] & isundefined(x) ==> begin x := y; a[i] := false; end; rule !a[i] & !isundefined(x) ==> begin y := x; undefine x; end; end;
