const N: 3;
type P: scalarset(N);
var o: P; a, b: array[P] of boolean; c: 0..N;
ruleset p: P do startstate begin o := p; c := 0; for i: P do a[i] := false; b[i] := false; end; end; end;
ruleset i: P do rule begin a[i] := !a[i]; end; end;
ruleset i: P; j: P do
  rule begin
    o := i; c := 0;
    for k: P do if a[k] & k != i & k != j & k != o | k = j & !a[k] then c := c + 1; end; end;
    o := j;
  end;
  rule begin c := 0; for k: P do if k = o | a[k] then c := c + 1; end; end; end;
end;
