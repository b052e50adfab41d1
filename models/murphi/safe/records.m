-- A lock server that talks to its clients by messages.
--
-- Shows records: a channel for each client is a record, and so is the
-- server, which has a record inside.
-- Proved: two clients never hold the lock together, and a grant is under
-- way only while the server knows the lock to be given away.

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
    Server.Lock.Taken := true;
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
