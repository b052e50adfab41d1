-- A store with two permits, and a clock with three positions.
--
-- Shows ranges with arithmetic: `+`, `-`, `*`, `/`, `%` and comparisons. A
-- value that leaves the range of its variable is an error: that there is
-- none is proved.
-- Proved: a permit is out only while fewer than all are in; the time of a
-- user is never more than a position behind, counted around the clock.

const
  UserCount: 3;
  Permits: 2;

type
  User: scalarset(UserCount);

var
  Free: 0..Permits;
  Has: array [User] of boolean;
  Clock: 0..2;
  Seen: array [User] of 0..2;

startstate
begin
  Free := Permits;
  Clock := 0;
  for u: User do
    Has[u] := false;
    Seen[u] := 0;
  end;
end;

ruleset u: User do
  rule "take"
    !Has[u] & Free * 2 / Permits >= 1
  ==>
  begin
    Free := Free - 1;
    Has[u] := true;
  end;

  rule "see"
    Seen[u] != Clock
  ==>
  begin
    Seen[u] := (Seen[u] + 1) % 3;
  end;
end;

rule "tick"
  forall u: User do Seen[u] = Clock end
==>
begin
  Clock := (Clock + 1) % 3;
end;

-- All permits come back at once.
rule "collect"
  Free < Permits
==>
begin
  for u: User do
    Has[u] := false;
  end;
  Free := Permits;
end;

invariant "permits"
  (exists u: User do Has[u] end) -> Free < Permits;

invariant "time"
  forall u: User do (Clock + 3 - Seen[u]) % 3 <= 1 end;
