const N: 3;
type P: scalarset(N);
var x: 0..3; a: array[P] of boolean;
startstate begin x := 0; for i: P do a[i] := false; end; end;
ruleset i: P do rule !a[i] & x < 3 ==> begin a[i] := true; x := x + 1; if x = 2 then assert forall j: P do j = i | !a[j] end "two"; end; end; end;
