-- sizes: 2, 3
-- The same question twice, before and after what it asks about has changed.
const N: 3;
type P: 1..N;
var a: array [P] of 0..2; done: boolean;
startstate begin for i: P do a[i] := 0; end; done := false; end;
ruleset i: P do
  rule "raise" a[i] < 2 ==> begin
    if forall j: P do a[j] < 2 | j = i end then a[i] := 2; else a[i] := a[i] + 1; end;
    if forall j: P do a[j] < 2 | j = i end then done := false; else done := true; end;
  end;
  rule "fall" forall j: P do a[j] = 2 end ==> begin a[i] := 0; end;
end;
invariant "two at the top" done -> exists j: P do a[j] = 2 end;
