-- A vote that is called off, and counted nevertheless.
--
-- The protocol is that of ../safe/clear.m.
-- Bug: `call off` does not clear the votes.
-- A run: 1 process, 3 steps.

const
  VoterCount: 3;

type
  Voter: scalarset(VoterCount);
  Phase: enum { Closed, Open, Decided };
  Ballot: record
    Now: Phase;
    Round: 0..2;
  end;

var
  Current: Ballot;
  Voted: array [Voter] of record
    Yes: boolean;
    In: 0..2;
  end;

startstate
begin
  clear Current;
  clear Voted;
end;

rule "open"
  Current.Now = Closed & Current.Round < 2
==>
begin
  Current.Now := Open;
  Current.Round := Current.Round + 1;
end;

ruleset v: Voter do
  rule "vote"
    Current.Now = Open & !Voted[v].Yes
  ==>
  begin
    Voted[v].Yes := true;
    Voted[v].In := Current.Round;
  end;
end;

rule "decide"
  Current.Now = Open & forall v: Voter do Voted[v].Yes end
==>
begin
  Current.Now := Decided;
end;

rule "call off"
  Current.Now = Open
==>
begin
  Current.Now := Closed;
end;

rule "again"
  Current.Now = Decided | Current.Now = Closed & Current.Round = 2
==>
begin
  clear Current;
  clear Voted;
end;

invariant "votes are of this round"
  forall v: Voter do Voted[v].Yes -> Voted[v].In = Current.Round end;

invariant "no votes while it is closed"
  forall v: Voter do Current.Now = Closed -> !Voted[v].Yes end;
