const N: 3;
type P: scalarset(N);
var x: P; v: 0..2; a: array[P] of 0..2; e: boolean;
ruleset s: P; w: 0..1 do startstate begin x := s; v := w; for i: P do a[i] := w; end; a[s] := 2; e := false; end; end;
ruleset s: P; t: P do startstate begin x := t; v := 2; for i: P do a[i] := 0; end; a[s] := 1; a[t] := 2; e := true; end; end;
startstate "z" for i: P do a[i] := 2; end; v := 0; e := true; end;
rule e & v = 2 ==> begin e := false; a[x] := 0; end;
ruleset i: P do rule v = 0 & a[i] = 2 ==> begin x := i; a[i] := 1; end; end;
