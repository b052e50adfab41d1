const N: 3;
type P: scalarset(N);
var x: 0..3; a: array[P] of boolean;
procedure chk(); begin if x < 3 then return; end; error "three"; end;
startstate begin x := 0; for i: P do a[i] := false; end; end;
ruleset i: P do rule !a[i] & x < 3 ==> begin a[i] := true; x := x + 1; chk(); end; end;
