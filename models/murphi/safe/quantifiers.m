-- A barrier: all meet, and then all go on.
--
-- Shows `forall` and `exists` in guards, in statements and inside each other.
-- Proved: the gate is open only after all have arrived, and nobody has gone
-- through while another one still works.

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
    Open := !exists v: Worker do v != w & At[v] != Waiting end;
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
