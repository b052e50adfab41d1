-- Eating with forks that lie between any two philosophers.
--
-- Shows arrays of arrays: Has[p][q] says that p has the fork that it shares
-- with q. Who eats has all of its forks; a fork can be taken from a
-- neighbour who does not eat.
-- Proved: two never eat together, and a fork is in one hand only.

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
    p != q & !Has[p][q] & !Eats[q]
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
