-- A directory that counts acknowledgements, and does not wait for the last one.
--
-- The protocol is that of ../safe/counters.m.
-- Bug: the writer may go on while one acknowledgement is missing.
-- A run: 2 processes, 3 steps

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
    Cache[n] = Waiting & Acks <= 1
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
