-- A coin that is lost by those who give it to themselves.
--
-- The protocol is that of ../safe/same_parameters.m.
-- Bug: the coin is given before it is taken away. Where both are the same
-- person, it is gone.
-- A run: 1 process, 1 step.

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
    Has[taker] := true;
    Has[giver] := false;
  end;
end;

invariant "the coin is not lost"
  exists p: Person do Has[p] end;

ruleset p: Person; q: Person do
  invariant "no second coin"
    p = q | !(Has[p] & Has[q]);
end;
