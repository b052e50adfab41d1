-- Caches that share a line, and one that may write it.
--
-- Shows loops over the processes: the first sets a cell of each of them, the
-- second only where a condition holds, the third notes whether one was found.
-- No iteration depends on another, so they are one simultaneous step.
-- Proved: a cache that may write is the only one with a copy; and Clean says
-- whether nobody may write.

const
  CacheCount: 3;

type
  Cache: scalarset(CacheCount);
  State: enum { Invalid, Shared, Modified };

var
  Line: array [Cache] of State;
  Clean: boolean;

startstate
begin
  for c: Cache do
    Line[c] := Invalid;
  end;
  Clean := true;
end;

ruleset c: Cache do
  rule "read"
    Line[c] = Invalid
  ==>
  begin
    for d: Cache do
      if Line[d] = Modified then
        Line[d] := Shared;
      end;
    end;
    Line[c] := Shared;
    Clean := true;
  end;

  rule "write"
    Line[c] != Modified
  ==>
  begin
    for d: Cache do
      Line[d] := Invalid;
    end;
    Line[c] := Modified;
    Clean := false;
  end;

  rule "evict"
    Line[c] != Invalid
  ==>
  begin
    Line[c] := Invalid;
    Clean := true;
    for d: Cache do
      if Line[d] = Modified then
        Clean := false;
      end;
    end;
  end;
end;

invariant "one writer, or readers"
  forall c: Cache do forall d: Cache do
    c != d & Line[c] = Modified -> Line[d] = Invalid
  end end;

invariant "clean"
  Clean = forall c: Cache do Line[c] != Modified end;
