-- Caches that share a line, and some that are not told.
--
-- The protocol is that of ../safe/loops.m.
-- Bug: `write` invalidates only the cache that may write, not those that read.
-- A run: 2 processes, 2 steps.

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
      if Line[d] = Modified then
        Line[d] := Invalid;
      end;
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
