-- A light in each room, and rooms that the start forgets.
--
-- The protocol is that of ../safe/start_states.m.
-- Bug: the second start state sets the light of one room. That of the others is
-- undefined, and the invariant looks at it.
-- A run: 2 processes, 0 steps.

const
  RoomCount: 3;

type
  Room: scalarset(RoomCount);

var
  Occupied: Room;
  Light: array [Room] of boolean;

ruleset r: Room do
  startstate "dark"
  begin
    Occupied := r;
    for s: Room do
      Light[s] := false;
    end;
  end;
end;

ruleset r: Room; on: boolean do
  startstate "perhaps lit"
  begin
    Light[r] := on;
    Occupied := r;
  end;
end;

rule "switch"
  true
==>
begin
  Light[Occupied] := !Light[Occupied];
end;

ruleset r: Room do
  rule "walk"
    r != Occupied & !Light[Occupied]
  ==>
  begin
    Occupied := r;
  end;
end;

invariant "the light is off where nobody is"
  forall r: Room do Light[r] -> r = Occupied end;
