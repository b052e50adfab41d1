const N: 3;
type P: scalarset(N);
type R: record n: 0..N; f: boolean end;
var a: array[P] of R; r: R;
startstate begin r.n := 0; r.f := true; for i: P do a[i] := r; end; end;
ruleset i: P do
  rule r.n < N ==> begin r.n := r.n + 1; a[i] := r; end;
  rule begin r := a[i]; r.f := !r.f; end;
end;
