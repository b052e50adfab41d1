-- A light with a switch in each room, and somebody in one of them.
--
-- Shows start states: two of them, each for every value of its parameters. A
-- loop over all rooms gives each of them a value: what no statement gives a
-- value to would be undefined.
-- Proved: one room is occupied, and the light is off in all others.

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
    for s: Room do
      Light[s] := s = r & on;
    end;
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
