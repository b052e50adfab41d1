const N: 3;
type P: scalarset(N);
var a: array[P] of boolean; b: array[P] of 0..2;
startstate begin for i: P do b[i] := 0; end; end;
ruleset i: P do
rule isundefined(a[i]) ==> begin a[i] := true; end;
rule !isundefined(a[i]) & a[i] & b[i] < 2 ==> begin undefine a[i]; b[i] := b[i] + 1; end;
rule b[i] = 2 & isundefined(a[i]) ==> begin undefine b[i]; b[i] := 0; end;
end;
