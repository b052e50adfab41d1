const N: 3;
type P: scalarset(N);
var a: array[P] of 0..3; x: P;
procedure f(var u: 0..3; var v: 0..3; w: 0..3); begin u := (v + 1) % 4; v := (u + w) % 4; u := v; end;
ruleset q: P do startstate begin x := q; for i: P do a[i] := 0; end; end; end;
ruleset i: P; j: P do rule begin f(a[i], a[j], a[x]); end; rule begin f(a[x], a[i], a[j]); x := j; end; end;
