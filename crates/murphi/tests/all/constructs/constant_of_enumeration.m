const N: 3;
type Proc: scalarset(N); Mode: enum { idle, busy, broken };
const First: idle; Same: First; Fast: true; Also: Fast;
var mode: array [Proc] of Mode; last: Mode;
startstate
  for p: Proc do mode[p] := Same end;
  last := First;
end;
ruleset p: Proc do
  rule "work" mode[p] = First & Also ==>
    mode[p] := busy;
    for q: Proc do if mode[q] = Same then last := Same else last := busy end end;
  end;
  rule "rest" mode[p] != First ==> switch mode[p] case First: mode[p] := broken; else mode[p] := Same; end end;
end;
invariant "works" forall p: Proc do mode[p] != broken end;
