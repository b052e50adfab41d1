const N: 3;
type P: scalarset(N);
var a: array[P] of boolean; any, all: boolean;
startstate begin any := false; all := false; for i: P do a[i] := false; end; end;
ruleset i: P do rule begin a[i] := !a[i]; any := false; all := true; for j: P do if a[j] then any := true; end; if !a[j] then all := false; end; end; end; end;
invariant all -> any;
