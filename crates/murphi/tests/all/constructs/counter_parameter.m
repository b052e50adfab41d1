const N: 3;
type P: scalarset(N);
var a, b: array[P] of boolean; c: 0..N;
startstate begin c := 0; for i: P do a[i] := false; b[i] := false; end; end;
ruleset i: P do rule begin a[i] := !a[i]; end; end;
procedure set(v: 0..N; var w: 0..N); begin w := v; end;
rule begin set(N, c); end;
rule c > 0 ==> begin set(c - 1, c); end;
ruleset i: P do rule a[i] & c = N ==> begin alias z: c do z := z - 1; end; end; end;
