-- Nodes that ask each other, over a network without order.
--
-- Shows an array of multisets of records, whose room is a number of nodes; and
-- a rule that takes one message, and answers.
-- States: 9, steps: 18

const
  NodeCount: 2;

type
  Node: scalarset(NodeCount);
  Message: record
    kind: enum { Request, Answer };
    from: Node;
  end;

var
  Net: array [Node] of multiset [NodeCount] of Message;
  Waits: array [Node] of boolean;

procedure send(from: Node; dst: Node; is_answer: boolean);
var
  message: Message;
begin
  message.from := from;
  if is_answer then
    message.kind := Answer;
  else
    message.kind := Request;
  end;
  multisetadd(message, Net[dst]);
end;

startstate
begin
  undefine Net;
  for n: Node do
    Waits[n] := false;
  end;
end;

ruleset n: Node; m: Node do
  rule "ask"
    n != m & !Waits[n]
  ==>
  begin
    Waits[n] := true;
    send(n, m, false);
  end;
end;

ruleset n: Node do
  choose i: Net[n] do
    alias net: Net[n]; message: net[i] do
      rule "receive"
        !isundefined(message.kind)
      ==>
      var
        from: Node;
      begin
        from := message.from;
        if message.kind = Request then
          multisetremove(i, net);
          send(n, from, true);
        else
          Waits[n] := false;
          multisetremove(i, net);
        end;
      end;
    end;
  end;
end;

ruleset n: Node do
  invariant "an answer is waited for"
    multisetcount(i: Net[n], Net[n][i].kind = Answer) > 0 -> Waits[n];
end;
