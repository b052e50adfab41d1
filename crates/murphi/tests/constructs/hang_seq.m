const N: 3;
type P: scalarset(N);
var a: array[P] of boolean; x: 0..3;
startstate begin x := 0; for i: P do a[i] := false; end; end;
ruleset i: P; j: P do rule begin
 if a[i] then x := (x + 1) % 4; else x := (x + 2) % 4; end; if x = 2 then a[j] := !a[j]; else x := (x + 3) % 4; end;
 if a[j] then x := (x + 1) % 4; else x := (x + 2) % 4; end; if x = 1 then a[i] := !a[j]; else x := (x + 3) % 4; end;
 if a[i] then x := (x + 1) % 4; else x := (x + 2) % 4; end; if x = 2 then a[j] := !a[j]; else x := (x + 3) % 4; end;
 if a[j] then x := (x + 1) % 4; else x := (x + 2) % 4; end; if x = 1 then a[i] := !a[j]; else x := (x + 3) % 4; end;
end; end;
