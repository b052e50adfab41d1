const N: 3;
type P: scalarset(N);
var a: array[P] of boolean; x: 0..3;
startstate begin x := 0; for i: P do a[i] := false; end; end;
ruleset i: P do rule var n: 0..3; begin n := 0; while n < 2 do if a[i] then x := (x + n) % 4; end; n := n + 1; end; a[i] := !a[i]; end;
rule var n: 0..3; begin n := 3; while n > 0 & x < 2 do n := n - 1; if n = 1 then return; end; end; x := n; end; end;
