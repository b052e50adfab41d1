-- A bag with room for three balls.
--
-- Shows multisets: adding, taking one element or all of a kind, and counting.
-- A state is a bag, in whatever order the balls came in; of equal balls, one is
-- chosen.
-- States: 20, steps: 54

type
  Colour: enum { red, green };

var
  Bag: multiset [3] of Colour;
  Last: Colour;

startstate
begin
  undefine Bag;
  Last := red;
end;

ruleset c: Colour do
  rule "put"
    multisetcount(i: Bag, true) < 3
  ==>
  begin
    multisetadd(c, Bag);
  end;
end;

choose i: Bag do
  rule "take"
  begin
    Last := Bag[i];
    multisetremove(i, Bag);
  end;
end;

rule "remove all green ones"
  multisetcount(i: Bag, Bag[i] = green) > 1
==>
begin
  multisetremovepred(i: Bag, Bag[i] = green);
end;

invariant "room for three"
  multisetcount(i: Bag, Bag[i] = red) + multisetcount(i: Bag, Bag[i] = green) <= 3;
