-- Two desks whose clerks change places, and are relieved.
--
-- Shows local variables of rules. They start undefined each time; here each is
-- set before it is used, on every path.
-- Proved: the flags say who is at a desk; and no variable is used before it is
-- set.

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
      gone := Second;
      Second := c;
    end;
    AtDesk[gone] := stays;
    AtDesk[c] := true;
  end;
end;

invariant "flags"
  forall c: Clerk do AtDesk[c] = (c = First | c = Second) end;
