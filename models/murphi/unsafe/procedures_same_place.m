-- A mailbox for each process, and a note in the wrong place.
--
-- The protocol is that of ../safe/procedures.m.
-- Bug: both `var` parameters of `send` are the mailbox, so nothing is noted.
-- A run: 1 process, 2 steps.

const
  PersonCount: 3;

type
  Person: scalarset(PersonCount);
  Letter: enum { Empty, Good, Bad };

var
  Box: array [Person] of Letter;
  Sent: array [Person] of Letter;
  Read: array [Person] of Letter;

procedure send(var box: Letter; var note: Letter; letter: Letter);
begin
  assert box = Empty "the box is full";
  box := letter;
  note := letter;
end;

procedure move(var from: Letter; var to_: Letter);
begin
  to_ := from;
  from := Empty;
end;

startstate
begin
  for p: Person do
    Box[p] := Empty;
    Sent[p] := Empty;
    Read[p] := Empty;
  end;
end;

ruleset p: Person; letter: Letter do
  rule "send"
    letter != Empty & Box[p] = Empty & Read[p] = Empty
  ==>
  begin
    send(Box[p], Box[p], letter);
  end;
end;

ruleset p: Person do
  rule "receive"
    Box[p] != Empty
  ==>
  begin
    move(Box[p], Read[p]);
  end;

  rule "throw away"
    Read[p] != Empty
  ==>
  begin
    Read[p] := Empty;
  end;
end;

invariant "what is read was sent"
  forall p: Person do Read[p] != Empty -> Read[p] = Sent[p] end;
