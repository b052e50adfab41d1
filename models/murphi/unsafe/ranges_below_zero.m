-- A store with two permits, from which a third is taken.
--
-- The protocol is that of ../safe/ranges.m.
-- Bug: `take` does not look whether there is a permit. With three users, Free
-- leaves its range.
-- A run: 3 processes, 2 steps; the next step is the error.

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
    !Has[u]
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
