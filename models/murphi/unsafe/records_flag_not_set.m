-- A lock server, with a grant that it does not remember.
--
-- The protocol is that of ../safe/records.m.
-- Bug: the server gives the lock away and does not set Server.Lock.Taken.
-- A run: 1 process, 2 steps.

const
  ClientCount: 3;

type
  Client: scalarset(ClientCount);
  Message: enum { None, Ask, Grant, Release };
  Channel: record
    ToServer: Message;
    ToClient: Message;
  end;

var
  Channels: array [Client] of Channel;
  Holds: array [Client] of boolean;
  Server: record
    Lock: record Taken: boolean; end;
  end;

startstate
begin
  for c: Client do
    Channels[c].ToServer := None;
    Channels[c].ToClient := None;
    Holds[c] := false;
  end;
  Server.Lock.Taken := false;
end;

ruleset c: Client do
  rule "ask"
    Channels[c].ToServer = None & Channels[c].ToClient = None & !Holds[c]
  ==>
  begin
    Channels[c].ToServer := Ask;
  end;

  rule "grant"
    Channels[c].ToServer = Ask & !Server.Lock.Taken
  ==>
  begin
    Channels[c].ToServer := None;
    Channels[c].ToClient := Grant;
  end;

  rule "take"
    Channels[c].ToClient = Grant
  ==>
  begin
    Channels[c].ToClient := None;
    Holds[c] := true;
  end;

  rule "release"
    Holds[c]
  ==>
  begin
    Holds[c] := false;
    Channels[c].ToServer := Release;
  end;

  rule "free"
    Channels[c].ToServer = Release
  ==>
  begin
    Channels[c].ToServer := None;
    Server.Lock.Taken := false;
  end;
end;

invariant "exclusive"
  forall c: Client do forall d: Client do
    c != d -> !(Holds[c] & Holds[d])
  end end;

invariant "known to the server"
  forall c: Client do Channels[c].ToClient = Grant -> Server.Lock.Taken end;
