-- Orders that are withdrawn by half.
--
-- The protocol is that of ../safe/whole_values.m.
-- Bug: `withdraw` copies one field instead of the record.
-- A run: 1 process, 3 steps.

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
    Draft[b].Count := Nothing.Count;
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
