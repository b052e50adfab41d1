-- A vote that can be called off.
--
-- Shows `clear`: all parts of a variable get their least value, which is
-- `false` for Booleans, the first name for an enumeration, and the lower
-- bound for a range. It works on whole arrays and records.
-- Proved: nobody's vote outlives the ballot that it was given in.

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
  clear Voted;
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
