-- A lock for the first who waits, and for the second.
--
-- The protocol is that of ../safe/order.m.
-- Bug: `enter` looks whether one before it waits, not whether it is inside.
-- A run: 2 processes, 5 steps.

const
  NodeCount: 3;

type
  Node: 1..NodeCount;
  Place: enum { Outside, Waiting, Inside };

var
  At: array [Node] of Place;
  Closed: boolean;

startstate
begin
  for n: Node do
    At[n] := Outside;
  end;
  Closed := false;
end;

ruleset n: Node do
  rule "wait"
    At[n] = Outside & !Closed
  ==>
  begin
    At[n] := Waiting;
  end;

  rule "enter"
    At[n] = Waiting & Closed
      & forall m: Node do m < n -> At[m] != Waiting end
      & forall m: Node do m > n -> At[m] != Inside end
  ==>
  begin
    At[n] := Inside;
  end;

  rule "leave"
    At[n] = Inside
  ==>
  begin
    At[n] := Outside;
    Closed := exists m: Node do m >= n & At[m] = Waiting end;
  end;
end;

rule "close"
  !Closed & exists n: Node do At[n] = Waiting end
==>
begin
  Closed := true;
end;

invariant "exclusive"
  forall n: Node do forall m: Node do
    n != m -> !(At[n] = Inside & At[m] = Inside)
  end end;

invariant "the first is inside"
  forall n: Node do forall m: Node do
    At[n] = Inside & At[m] = Waiting -> n <= m
  end end;
