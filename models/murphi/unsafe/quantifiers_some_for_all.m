-- A barrier that opens when a second one comes.
--
-- The protocol is that of ../safe/quantifiers.m.
-- Bug: `arrive` asks whether somebody waits, instead of whether nobody works.
-- A run: 3 processes, 2 steps.

const
  WorkerCount: 3;

type
  Worker: scalarset(WorkerCount);
  Place: enum { Working, Waiting, Through };

var
  At: array [Worker] of Place;
  Open: boolean;

startstate
begin
  for w: Worker do
    At[w] := Working;
  end;
  Open := false;
end;

ruleset w: Worker do
  rule "arrive"
    At[w] = Working & !Open
  ==>
  begin
    At[w] := Waiting;
    Open := exists v: Worker do v != w & At[v] = Waiting end;
  end;

  rule "go through"
    At[w] = Waiting & Open
  ==>
  begin
    At[w] := Through;
  end;
end;

rule "close"
  forall w: Worker do At[w] = Through end
==>
begin
  for w: Worker do
    At[w] := Working;
  end;
  Open := false;
end;

invariant "all have arrived"
  Open -> forall w: Worker do At[w] != Working end;

invariant "nobody is ahead"
  forall w: Worker do
    At[w] = Through -> !exists v: Worker do At[v] = Working end
  end;
