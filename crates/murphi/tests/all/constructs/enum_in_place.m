const N: 3;
type P: scalarset(N);
var s: array[P] of enum{I,T,C}; q: record k: enum{A1,A2}; b: boolean; end;
startstate begin for i: P do s[i] := I; end; q.k := A1; q.b := true; end;
ruleset i: P do rule s[i] = I & q.k = A1 ==> begin s[i] := T; q.k := A2; end; rule s[i] = T & q.b ==> begin s[i] := C; q.b := false; end; rule s[i] = C ==> begin s[i] := I; q.b := true; q.k := A1; end; end;
invariant forall i: P do forall j: P do s[i] = C & s[j] = C -> i = j end end;
