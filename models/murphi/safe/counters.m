-- A directory that counts acknowledgements.
--
-- Who wants to write has the copies of all others invalidated. The directory
-- knows how many have not answered yet, and lets the writer go on when none is
-- left. A stale copy can be read until its owner answers.
-- Shows a number of processes as a value: a loop counts, 1 is subtracted for
-- each answer, and the number is compared with 0.
-- Proved: who writes is alone, and the number stays within its range, for every
-- number of nodes.

const
  NodeCount: 3;

type
  Node: scalarset(NodeCount);
  State: enum { Invalid, Shared, Stale, Waiting, Modified };

var
  Cache: array [Node] of State;
  Acks: 0..NodeCount;
  Busy: boolean;

startstate
begin
  for n: Node do
    Cache[n] := Invalid;
  end;
  Acks := 0;
  Busy := false;
end;

ruleset n: Node do
  rule "read"
    !Busy & Cache[n] = Invalid & forall m: Node do Cache[m] != Modified end
  ==>
  begin
    Cache[n] := Shared;
  end;

  rule "write"
    !Busy & Cache[n] != Modified
  ==>
  var
    count: 0..NodeCount;
  begin
    Busy := true;
    count := 0;
    for m: Node do
      if m != n & (Cache[m] = Shared | Cache[m] = Modified) then
        Cache[m] := Stale;
        count := count + 1;
      end;
    end;
    Cache[n] := Waiting;
    Acks := count;
  end;

  rule "acknowledge"
    Cache[n] = Stale
  ==>
  begin
    Cache[n] := Invalid;
    Acks := Acks - 1;
  end;

  rule "grant"
    Cache[n] = Waiting & Acks = 0
  ==>
  begin
    Cache[n] := Modified;
    Busy := false;
  end;
end;

ruleset n: Node; m: Node do
  invariant "who writes is alone"
    n != m & Cache[n] = Modified -> Cache[m] = Invalid | Cache[m] = Waiting;
end;

invariant "nobody answers unasked"
  Acks = 0 | Busy;
