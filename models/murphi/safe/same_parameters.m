-- A coin that people give to each other, or to themselves.
--
-- Shows a ruleset with two parameters, which may be the same person: then
-- the statements of the rule work on one cell. It is right here, because the
-- coin is taken away before it is given.
-- Proved: there is always a coin, and no second one.

const
  PersonCount: 3;

type
  Person: scalarset(PersonCount);

var
  Has: array [Person] of boolean;

ruleset p: Person do
  startstate
  begin
    for q: Person do
      Has[q] := false;
    end;
    Has[p] := true;
  end;
end;

ruleset giver: Person; taker: Person do
  rule "give"
    Has[giver]
  ==>
  begin
    Has[giver] := false;
    Has[taker] := true;
  end;
end;

invariant "the coin is not lost"
  exists p: Person do Has[p] end;

ruleset p: Person; q: Person do
  invariant "no second coin"
    p = q | !(Has[p] & Has[q]);
end;
