-- A transaction of two phases, decided after the first answer.
--
-- The protocol is that of ../safe/errors.m.
-- Bug: `commit` asks whether some node is prepared. Another one runs into the
-- error.
-- A run: 2 processes, 2 steps; the next step is the error.

const
  NodeCount: 3;

type
  Node: scalarset(NodeCount);
  State: enum { Working, Prepared, Committed, Aborted };
  Decision: enum { Open, Commit, Abort };

var
  Is: array [Node] of State;
  Decided: Decision;

startstate
begin
  for n: Node do
    Is[n] := Working;
  end;
  Decided := Open;
end;

ruleset n: Node do
  rule "prepare"
    Is[n] = Working & Decided = Open
  ==>
  begin
    Is[n] := Prepared;
  end;

  rule "learn"
    (Is[n] = Working | Is[n] = Prepared) & Decided != Open
  ==>
  begin
    if Decided = Abort then
      Is[n] := Aborted;
    elsif Is[n] = Prepared then
      Is[n] := Committed;
    else
      error "commit without being prepared";
    end;
  end;
end;

rule "commit"
  Decided = Open & exists n: Node do Is[n] = Prepared end
==>
begin
  Decided := Commit;
end;

rule "abort"
  Decided = Open
==>
begin
  if exists n: Node do Is[n] = Committed end then
    error "it is too late";
  end;
  Decided := Abort;
end;

rule "next"
  forall n: Node do Is[n] = Committed | Is[n] = Aborted end
==>
begin
  for n: Node do
    Is[n] := Working;
  end;
  Decided := Open;
end;

invariant "all or nobody"
  !exists n: Node do exists m: Node do
    Is[n] = Committed & Is[m] = Aborted
  end end;
