const N: 3;
type P: scalarset(N);
var a: array[P] of boolean; c: 0..N;
function count(v: boolean): 0..N; var l: 0..N; begin
  l := 0; for k: P do if a[k] = v then l := l + 1; end; end; return l;
end;
startstate begin c := 0; for i: P do a[i] := false; end; end;
ruleset i: P do rule begin a[i] := !a[i]; end; end;
rule begin c := count(true); end;
ruleset i: P do rule a[i] & count(false) = c ==> begin a[i] := false; end; end;
