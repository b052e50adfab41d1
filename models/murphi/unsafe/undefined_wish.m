-- A desk, and a customer who does not say what is wanted.
--
-- The protocol is that of ../safe/undefined.m.
-- Bug: `come` does not set Wanted. The guards look at it, and it is undefined.
-- A run: 1 process, 1 step.

const
  CustomerCount: 3;

type
  Customer: scalarset(CustomerCount);
  Wish: enum { Stamp, Parcel };

var
  AtDesk: Customer;
  Wanted: Wish;
  Served: array [Customer] of boolean;

startstate
begin
  undefine AtDesk;
  undefine Wanted;
  for c: Customer do
    Served[c] := false;
  end;
end;

ruleset c: Customer; w: Wish do
  rule "come"
    isundefined(AtDesk)
  ==>
  begin
    AtDesk := c;
  end;
end;

rule "serve"
  !isundefined(AtDesk) & Wanted = Stamp & !Served[AtDesk]
==>
begin
  Served[AtDesk] := true;
end;

rule "go on"
  !isundefined(AtDesk) & (Wanted = Parcel | Served[AtDesk])
==>
begin
  Served[AtDesk] := false;
  undefine AtDesk;
  undefine Wanted;
end;

invariant "only the one at the desk is served"
  forall c: Customer do
    Served[c] -> !isundefined(AtDesk) & AtDesk = c
  end;
