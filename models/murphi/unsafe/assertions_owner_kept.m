-- A lock that is handed over, and still belongs to the first.
--
-- The protocol is that of ../safe/assertions.m.
-- Bug: `hand over` does not set Owner, and the assertion in `leave` fails.
-- A run: 2 processes, 2 steps; the next step is the error.

const
  ThreadCount: 3;

type
  Thread: scalarset(ThreadCount);

var
  Locked: boolean;
  Owner: Thread;
  Inside: array [Thread] of boolean;

procedure lock(t: Thread);
begin
  assert !Locked "the lock is free";
  Locked := true;
  Owner := t;
end;

startstate
begin
  Locked := false;
  for t: Thread do
    Inside[t] := false;
  end;
end;

ruleset t: Thread do
  rule "enter"
    !Locked
  ==>
  begin
    lock(t);
    Inside[t] := true;
    assert forall u: Thread do Inside[u] -> u = t end "alone";
  end;

  rule "leave"
    Inside[t]
  ==>
  begin
    assert Locked & Owner = t;
    Inside[t] := false;
    Locked := false;
    undefine Owner;
  end;
end;

ruleset t: Thread; u: Thread do
  rule "hand over"
    Inside[t] & t != u
  ==>
  begin
    assert !Inside[u] "the other one waits";
    Inside[t] := false;
    Inside[u] := true;
  end;
end;
