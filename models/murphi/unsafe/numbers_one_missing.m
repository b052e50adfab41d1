-- A barrier that does not wait for the last one.
--
-- The protocol is that of ../safe/numbers.m.
-- Bug: it opens when all but one have arrived.
-- A run: 2 processes, 2 steps

const
  NodeCount: 3;

type
  Node: scalarset(NodeCount);
  Number: 0..NodeCount;

var
  Place: array [Node] of enum { Working, Waiting, Past };
  Count: record
    arrived: Number;
    left: Number;
  end;

startstate
begin
  for n: Node do
    Place[n] := Working;
  end;
  clear Count;
end;

ruleset n: Node do
  rule "arrive"
    Place[n] = Working & Count.arrived < NodeCount
  ==>
  begin
    Place[n] := Waiting;
    Count.arrived := Count.arrived + 1;
  end;

  rule "pass"
    Place[n] = Waiting & Count.arrived + 1 >= NodeCount
  ==>
  begin
    Place[n] := Past;
    Count.left := Count.left + 1;
  end;
end;

rule "begin again"
  Count.left >= NodeCount
==>
begin
  for n: Node do
    Place[n] := Working;
  end;
  clear Count;
end;

ruleset n: Node; m: Node do
  invariant "nobody is left behind"
    Place[n] = Past -> Place[m] != Working;
end;

invariant "who has left has arrived"
  Count.left <= Count.arrived;
