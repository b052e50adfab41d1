const N: 3;
type P: 1..N;
var a: array[P] of 0..2; d: boolean;
startstate begin d := false; a[1] := 0; end;
rule forall i: P do a[i] = 1 end ==> begin d := true; end;
rule exists i: P do a[i] = 0 end ==> begin d := true; end;
