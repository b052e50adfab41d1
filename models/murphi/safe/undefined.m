-- A desk at which one customer is served at a time.
--
-- Shows undefined values: nobody is at the desk before the first customer
-- comes, and nobody after each one has gone. To look at what is undefined is an
-- error, in Murphi as here: that it never happens is proved as well.
-- Proved: who is served is the one at the desk.

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
    Wanted := w;
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
