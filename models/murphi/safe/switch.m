-- A directory that answers one request at a time.
--
-- Shows `switch`, with several values in a case and with `else`.
-- Proved: an exclusive copy is the only one.

const
  CacheCount: 3;

type
  Cache: scalarset(CacheCount);
  Request: enum { Nothing, GetShared, GetExclusive, Drop };
  State: enum { Invalid, Shared, Exclusive };

var
  Asked: array [Cache] of Request;
  Copy: array [Cache] of State;

startstate
begin
  for c: Cache do
    Asked[c] := Nothing;
    Copy[c] := Invalid;
  end;
end;

ruleset c: Cache; wanted: Request do
  rule "ask"
    Asked[c] = Nothing & wanted != Nothing
  ==>
  begin
    Asked[c] := wanted;
  end;
end;

ruleset c: Cache do
  rule "answer"
    Asked[c] != Nothing
  ==>
  begin
    switch Asked[c]
    case GetShared:
      for d: Cache do
        switch Copy[d]
        case Exclusive: Copy[d] := Shared;
        end;
      end;
      Copy[c] := Shared;
    case GetExclusive, Drop:
      if Asked[c] = GetExclusive then
        for d: Cache do
          Copy[d] := Invalid;
        end;
      end;
      Copy[c] := Asked[c] = Drop ? Invalid : Exclusive;
    else
      error "there is no other request";
    end;
    Asked[c] := Nothing;
  end;
end;

invariant "exclusive"
  forall c: Cache do forall d: Cache do
    c != d & Copy[c] = Exclusive -> Copy[d] = Invalid
  end end;
