-- Forks between any two philosophers, which are taken from those who eat.
--
-- The protocol is that of ../safe/nested_arrays.m.
-- Bug: to take a fork, nobody looks whether its owner eats.
-- A run: 2 processes, 4 steps.

const
  Seats: 3;

type
  Philosopher: scalarset(Seats);

var
  Has: array [Philosopher] of array [Philosopher] of boolean;
  Eats: array [Philosopher] of boolean;

startstate
begin
  for p: Philosopher do
    for q: Philosopher do
      Has[p][q] := false;
    end;
    Eats[p] := false;
  end;
end;

ruleset p: Philosopher; q: Philosopher do
  rule "take"
    p != q & !Has[p][q]
  ==>
  begin
    Has[q][p] := false;
    Has[p][q] := true;
  end;
end;

ruleset p: Philosopher do
  rule "eat"
    !Eats[p] & forall q: Philosopher do q = p | Has[p][q] end
  ==>
  begin
    Eats[p] := true;
  end;

  rule "think"
    Eats[p]
  ==>
  begin
    Eats[p] := false;
  end;
end;

invariant "nobody eats beside another"
  forall p: Philosopher do forall q: Philosopher do
    p != q -> !(Eats[p] & Eats[q])
  end end;

invariant "a fork is in one hand"
  forall p: Philosopher do forall q: Philosopher do
    !(Has[p][q] & Has[q][p])
  end end;
