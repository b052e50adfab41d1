-- A directory that counts acknowledgements, with messages that overtake its
-- answers.
--
-- The protocol is that of ../safe/messages.m.
-- Bug: a node gives up its copy while the answer that brings it the copy is
-- still on its way.
-- A run: 2 processes, 10 steps

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
    Channel[n] = GiveUp
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
