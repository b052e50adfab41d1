const N: 3;
type P: scalarset(N);
var a, b: array[P] of boolean; c: 0..N;
startstate begin c := 0; for i: P do a[i] := false; b[i] := false; end; end;
ruleset i: P do rule begin a[i] := !a[i]; end; end;
ruleset i: P do
  rule var l: 0..N; begin
    l := 0;
    for k: P do if a[k] & k != i then l := l + 1; b[k] := false; else b[k] := true; end; end;
    c := l;
  end;
end;
