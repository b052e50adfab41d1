const N: 3;
type P: scalarset(N);
type E: enum{undefined_, Is_process, Undefined_, N0, true_, x};
var e: array[P] of E; X: 0..1; Nobody: P; process_1: boolean;
startstate begin for i: P do e[i] := Undefined_; end; X := 0; process_1 := false; end;
ruleset i: P do rule begin e[i] := x; Nobody := i; end; rule e[i] = x ==> begin undefine e[i]; X := 1; process_1 := isundefined(Nobody); e[i] := N0; end; end;
