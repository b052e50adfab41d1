-- A directory that leaves an exclusive copy where it is.
--
-- The protocol is that of ../safe/switch.m.
-- Bug: the inner `switch` names the case Shared instead of Exclusive.
-- A run: 2 processes, 4 steps.

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
        case Shared: Copy[d] := Shared;
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
