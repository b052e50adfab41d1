-- A token that is taken from the one who gets it.
--
-- The protocol is that of ../safe/aliases.m.
-- Bug: the alias is entered after Holder has changed, and is the wrong cell.
-- A run: 2 processes, 1 step.

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
      mine.Token := true;
      Holder := n;
      alias giver: Cards[Holder] do
        giver.Token := false;
      end;
    end;
  end;
end;

invariant "the holder has the token"
  forall n: Node do Cards[n].Token = (Holder = n) end;

invariant "only the holder works"
  forall n: Node do Cards[n].Busy -> Holder = n end;
