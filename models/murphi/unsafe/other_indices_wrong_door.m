-- Doors with a lock each, and one that unlocks another.
--
-- The protocol is that of ../safe/other_indices.m.
-- Bug: who leaves a room unlocks the left one on that floor.
-- A run: 2 processes, 6 steps.

const
  PersonCount: 3;
  Floors: 2;
  ColourCount: 2;

type
  Person: scalarset(PersonCount);
  Colour: scalarset(ColourCount);
  Side: enum { Left, Right };
  Floor: 1..Floors;

var
  Locked: array [Floor] of array [Side] of boolean;
  Inside: array [Floor] of array [Side] of array [Person] of boolean;
  Badge: array [Person] of array [Colour] of boolean;
  IsOut: array [Colour] of boolean;

startstate
begin
  for p: Person do
    for f: Floor do
      for s: Side do
        Locked[f][s] := false;
        Inside[f][s][p] := false;
      end;
    end;
    for c: Colour do
      Badge[p][c] := false;
      IsOut[c] := false;
    end;
  end;
end;

ruleset p: Person; c: Colour do
  rule "take a badge"
    !IsOut[c]
  ==>
  begin
    IsOut[c] := true;
    Badge[p][c] := true;
  end;
end;

ruleset p: Person; f: Floor; s: Side do
  rule "enter"
    !Locked[f][s] & exists c: Colour do Badge[p][c] end
  ==>
  begin
    Locked[f][s] := true;
    Inside[f][s][p] := true;
  end;

  rule "leave"
    Inside[f][s][p]
  ==>
  begin
    Inside[f][s][p] := false;
    Locked[f][Left] := false;
  end;
end;

ruleset f: Floor; s: Side do
  invariant "one person in a room"
    forall p: Person do forall q: Person do
      p != q -> !(Inside[f][s][p] & Inside[f][s][q])
    end end;
end;

ruleset c: Colour do
  invariant "the desk knows"
    (exists p: Person do Badge[p][c] end) -> IsOut[c];
end;
