-- A home node that lends a page to the others.
--
-- Shows processes that the file names by a number: node 1 is the home of the
-- page. There is any number of nodes, from 1 on.
-- Proved: the page is at one node, and home knows whether it is away.

const
  NodeCount: 3;
  Home: 1;

type
  Node: 1..NodeCount;

var
  At: Node;
  Away: boolean;
  Uses: array [Node] of boolean;

startstate
begin
  At := Home;
  Away := false;
  for n: Node do
    Uses[n] := false;
  end;
end;

ruleset n: Node do
  rule "lend"
    At = Home & !Uses[Home] & n != Home
  ==>
  begin
    At := n;
    Away := true;
  end;

  rule "use"
    At = n
  ==>
  begin
    Uses[n] := true;
  end;

  rule "used"
    Uses[n]
  ==>
  begin
    Uses[n] := false;
  end;

  rule "give back"
    At = n & n != Home & !Uses[n]
  ==>
  begin
    At := Home;
    Away := false;
  end;
end;

invariant "home knows"
  Away = (At != Home);

invariant "used where it is"
  forall n: Node do Uses[n] -> n = At end;
