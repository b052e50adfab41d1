-- Orders that are drafted, and then all placed at once.
--
-- Shows records and arrays that are copied as a whole: a record in an array,
-- an array over the processes, and both at once.
-- Proved: what was placed is what was drafted, and nothing is placed that
-- nobody had drafted.

const
  BuyerCount: 3;

type
  Buyer: scalarset(BuyerCount);
  Amount: 0..2;
  Order: record
    Count: Amount;
    Paid: boolean;
  end;
  Orders: array [Buyer] of Order;

var
  Nothing: Order;
  Draft: Orders;
  Placed: Orders;
  Clean: boolean;

startstate
begin
  Nothing.Count := 0;
  Nothing.Paid := false;
  for b: Buyer do
    Draft[b] := Nothing;
  end;
  Placed := Draft;
  Clean := true;
end;

ruleset b: Buyer; count: Amount do
  rule "draft"
    count > 0
  ==>
  begin
    Draft[b].Count := count;
    Draft[b].Paid := true;
    Clean := false;
  end;
end;

ruleset b: Buyer do
  rule "withdraw"
    Draft[b].Paid
  ==>
  begin
    Draft[b] := Nothing;
    Clean := false;
  end;
end;

rule "place"
  !Clean
==>
var
  next: Orders;
begin
  next := Draft;
  Placed := next;
  Clean := true;
end;

invariant "what is drafted is placed"
  Clean -> forall b: Buyer do
    Draft[b].Count = Placed[b].Count & Draft[b].Paid = Placed[b].Paid
  end;

invariant "paid"
  forall b: Buyer do Placed[b].Paid = (Placed[b].Count > 0) end;
