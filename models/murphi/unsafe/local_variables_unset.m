-- Two desks, and a clerk who is relieved but has no name.
--
-- The protocol is that of ../safe/local_variables.m.
-- Bug: on one path `gone` is not set, and then it is used as an index.
-- A run: 2 processes, 0 steps; the next step is the error.

const
  ClerkCount: 3;

type
  Clerk: scalarset(ClerkCount);

var
  First: Clerk;
  Second: Clerk;
  AtDesk: array [Clerk] of boolean;

ruleset c: Clerk do
  startstate
  begin
    for d: Clerk do
      AtDesk[d] := false;
    end;
    First := c;
    Second := c;
    AtDesk[c] := true;
  end;
end;

rule "change places"
  First != Second
==>
var
  old: Clerk;
begin
  old := First;
  First := Second;
  Second := old;
end;

ruleset c: Clerk; both: boolean do
  rule "relieve"
    !AtDesk[c]
  ==>
  var
    gone: Clerk;
    stays: boolean;
  begin
    stays := First = Second;
    if both then
      gone := First;
      First := c;
    else
      Second := c;
    end;
    AtDesk[gone] := stays;
    AtDesk[c] := true;
  end;
end;

invariant "flags"
  forall c: Clerk do AtDesk[c] = (c = First | c = Second) end;
