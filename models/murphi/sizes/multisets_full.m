-- As in multisets.m, but nobody looks whether there is room.
-- A run: 3 steps

type
  Colour: enum { red, green };

var
  Bag: multiset [3] of Colour;

startstate
begin
  undefine Bag;
end;

ruleset c: Colour do
  rule "put"
    true
  ==>
  begin
    multisetadd(c, Bag);
  end;
end;
