const N: 3;
type P: scalarset(N);
type S: 0..2;
var a: array[S] of 0..1; x: 0..3; b: array[P] of boolean;
startstate begin a[0] := 0; a[2] := 1; x := 0; for i: P do b[i] := false; end; end;
rule x < 3 ==> begin x := x + 1; end;
ruleset i: P do
rule forall s: S do a[s] = 1 end ==> begin b[i] := true; end;
rule exists s: S do s = x | (s = 0 & a[s] = 0) end & exists s: S do a[s] = 0 | a[s] = 1 end ==> begin b[i] := !b[i]; end;
end;
