-- Readers and writers, with readers that may always start.
--
-- The protocol is that of ../safe/functions.m.
-- Bug: the last `return` of `may` does not look for a writer.
-- A run: 2 processes, 2 steps.

const
  UserCount: 3;

type
  User: scalarset(UserCount);
  Role: enum { Idle, Reader, Writer };

var
  Is: array [User] of Role;
  Busy: boolean;

function alone(u: User): boolean;
begin
  return forall v: User do v = u | Is[v] = Idle end;
end;

function may(u: User; wanted: Role): boolean;
begin
  if Is[u] != Idle then
    return false;
  end;
  if wanted = Writer then
    return alone(u);
  end;
  return true;
end;

-- Becomes what is wanted, and says what it was before.
function become(u: User; wanted: Role): Role;
var before: Role;
begin
  before := Is[u];
  Is[u] := wanted;
  return before;
end;

startstate
begin
  for u: User do
    Is[u] := Idle;
  end;
  Busy := false;
end;

ruleset u: User; wanted: Role do
  rule "start"
    wanted != Idle & may(u, wanted)
  ==>
  begin
    Busy := become(u, wanted) = Idle;
  end;
end;

ruleset u: User do
  rule "stop"
    Is[u] != Idle
  ==>
  begin
    if become(u, Idle) = Writer then
      Busy := false;
    else
      Busy := !alone(u);
    end;
  end;
end;

invariant "a writer is alone"
  forall u: User do Is[u] = Writer -> alone(u) end;

invariant "busy"
  (exists u: User do Is[u] = Writer end) -> Busy;
