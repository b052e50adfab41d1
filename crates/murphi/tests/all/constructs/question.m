-- What a body does depends on all processes, in one way inside another.
const N: 3;
type P: scalarset(N);
var a: array [P] of boolean; n: boolean; last: P;
startstate begin for i: P do a[i] := false; end; n := false; undefine last; end;
ruleset i: P do
  rule "step" begin
    if forall j: P do a[j] end then
      for j: P do a[j] := false; end;
      n := !n;
      undefine last;
    elsif exists j: P do j != i & a[j] end then
      a[i] := !a[i];
      if isundefined(last) | n then last := i; end;
    else
      a[i] := true;
      n := false;
    end;
  end;
end;
invariant "one is left" !isundefined(last) -> exists j: P do a[j] | n end;
