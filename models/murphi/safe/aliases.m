-- A token that is handed on in no order.
--
-- Shows aliases, around rules and in statements. An alias is the place that
-- was named when it was entered: `giver` stays the cell of the old holder,
-- although Holder changes meanwhile.
-- Proved: the holder has the token, and nobody else.

const
  NodeCount: 3;

type
  Node: scalarset(NodeCount);
  Card: record
    Token: boolean;
    Busy: boolean;
  end;

var
  Holder: Node;
  Cards: array [Node] of Card;

ruleset n: Node do
  startstate
  begin
    for m: Node do
      alias card: Cards[m] do
        card.Token := m = n;
        card.Busy := false;
      end;
    end;
    Holder := n;
  end;
end;

ruleset n: Node do
  alias mine: Cards[n] do
    rule "work"
      mine.Token & !mine.Busy
    ==>
    begin
      mine.Busy := true;
    end;

    rule "rest"
      mine.Busy
    ==>
    begin
      mine.Busy := false;
    end;

    rule "hand on"
      !Cards[Holder].Busy & Holder != n
    ==>
    begin
      alias giver: Cards[Holder]; taken: Cards[Holder].Token do
        mine.Token := taken;
        Holder := n;
        giver.Token := false;
      end;
    end;
  end;
end;

invariant "the holder has the token"
  forall n: Node do Cards[n].Token = (Holder = n) end;

invariant "only the holder works"
  forall n: Node do Cards[n].Busy -> Holder = n end;
