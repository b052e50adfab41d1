const N: 3;
type P: scalarset(N);
var a: array[P] of boolean; x: 0..2;
startstate begin x := 0; for i: P do a[i] := false; end; end;
ruleset i: P do rule ((a[i] ? x : 2 - x) = (a[i] ? 1 : x)) = (x < 2) ==> begin x := a[i] = (x = 1) ? (x + 1) % 3 : (a[i] ? 0 : 2); a[i] := !a[i] = (x = 2); end; end;
