-- Channels with room for two messages, and a third one.
--
-- The protocol is that of ../safe/counted_loops.m.
-- Bug: `send` compares with <= instead of <. The index is out of range.
-- A run: 1 process, 2 steps; the next step is the error.

const
  NodeCount: 2;
  Room: 2;

type
  Node: scalarset(NodeCount);
  Message: enum { None, Ping, Pong };

var
  Queue: array [Node] of array [0..Room - 1] of Message;
  Length: array [Node] of 0..Room;

startstate
begin
  for n: Node do
    for i := 0 to Room - 1 do
      Queue[n][i] := None;
    end;
    Length[n] := 0;
  end;
end;

ruleset n: Node; m: Message do
  rule "send"
    m != None & Length[n] <= Room
  ==>
  begin
    Queue[n][Length[n]] := m;
    Length[n] := Length[n] + 1;
  end;
end;

ruleset n: Node do
  rule "receive"
    Length[n] > 0
  ==>
  begin
    for i := 1 to Room - 1 do
      Queue[n][i - 1] := Queue[n][i];
    end;
    Queue[n][Room - 1] := None;
    Length[n] := Length[n] - 1;
  end;

  rule "flush"
    Length[n] = Room
  ==>
  begin
    while Length[n] > 0 do
      Length[n] := Length[n] - 1;
      Queue[n][Length[n]] := None;
    end;
  end;
end;

invariant "free places are empty"
  forall n: Node do forall i: 0..Room - 1 do
    (Queue[n][i] = None) = (i >= Length[n])
  end end;
