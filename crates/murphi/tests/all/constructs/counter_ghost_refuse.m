const N: 3;
type P: scalarset(N);
var a: array[P] of boolean; c, d: 0..N; o: P;
ruleset p: P do startstate begin c := 0; d := 0; o := p; for i: P do a[i] := false; end; end; end;
ruleset i: P do rule begin a[i] := !a[i]; end; end;
rule begin for k: P do if a[k] then o := k; end; end; end;
rule begin d := 0; for k: P do if k = o then d := d + 1; end; end; c := 0; end;
invariant c = 0;
