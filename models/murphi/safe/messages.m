-- A directory that counts acknowledgements, with messages of their own.
--
-- Who wants a copy asks the directory. Before it lets somebody write, and while
-- somebody may write before it lets another one read, the directory sends a
-- message to each node on its list, counts these messages, and takes the nodes
-- off its list. A node that gets such a message gives up its copy and answers,
-- and with each answer one is missing less. When none is, the answer to the
-- request goes out. One request is served at a time.
-- Shows that what is counted need not be what is proved: the number of missing
-- answers is that of messages on their way, and of neither the copies nor the
-- nodes on the list.
-- Proved: who has a copy to write has the only one, and the number of missing
-- answers stays within its range, for every number of nodes.

const
  NodeCount: 3;

type
  Node: scalarset(NodeCount);
  Copy: enum { Invalid, Shared, Exclusive };
  Wish: enum { Nothing, Read, Write };
  Message: enum { NoMessage, GiveUp, GivenUp };
  Answer: enum { NoAnswer, MayRead, MayWrite };

var
  Cache: array [Node] of Copy;
  Wants: array [Node] of Wish;
  Channel: array [Node] of Message;
  Granted: array [Node] of Answer;
  Listed: array [Node] of boolean;
  Missing: 0..NodeCount;
  Busy: boolean;
  Written: boolean;
  Current: Node;

startstate
begin
  for n: Node do
    Cache[n] := Invalid;
    Wants[n] := Nothing;
    Channel[n] := NoMessage;
    Granted[n] := NoAnswer;
    Listed[n] := false;
  end;
  Missing := 0;
  Busy := false;
  Written := false;
  undefine Current;
end;

ruleset n: Node do
  rule "ask to read"
    Cache[n] = Invalid & Wants[n] = Nothing
  ==>
  begin
    Wants[n] := Read;
  end;

  rule "ask to write"
    Cache[n] != Exclusive & Wants[n] = Nothing
  ==>
  begin
    Wants[n] := Write;
  end;

  rule "serve"
    !Busy & Wants[n] != Nothing & Granted[n] = NoAnswer
  ==>
  begin
    Busy := true;
    Current := n;
    Missing := 0;
    for m: Node do
      if m != n & Listed[m] & (Written | Wants[n] = Write) then
        Channel[m] := GiveUp;
        Missing := Missing + 1;
        Listed[m] := false;
      end;
    end;
  end;

  rule "give up"
    Channel[n] = GiveUp & Granted[n] = NoAnswer
  ==>
  begin
    Channel[n] := GivenUp;
    Cache[n] := Invalid;
  end;

  rule "count"
    Channel[n] = GivenUp
  ==>
  begin
    Channel[n] := NoMessage;
    Missing := Missing - 1;
  end;

  rule "answer"
    Busy & Missing = 0 & Current = n
  ==>
  begin
    if Wants[n] = Read then
      Granted[n] := MayRead;
      Written := false;
    else
      Granted[n] := MayWrite;
      Written := true;
    end;
    Listed[n] := true;
    Busy := false;
    undefine Current;
  end;

  rule "read"
    Granted[n] = MayRead
  ==>
  begin
    Cache[n] := Shared;
    Wants[n] := Nothing;
    Granted[n] := NoAnswer;
  end;

  rule "write"
    Granted[n] = MayWrite
  ==>
  begin
    Cache[n] := Exclusive;
    Wants[n] := Nothing;
    Granted[n] := NoAnswer;
  end;
end;

ruleset n: Node; m: Node do
  invariant "who writes is alone"
    n != m & Cache[n] = Exclusive -> Cache[m] = Invalid;
end;
