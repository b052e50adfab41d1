-- A memory cell that is owned by a cache, or by the memory itself.
--
-- Shows unions of processes and constants: as a value (Owner), as the index
-- of an array (Copy), as what a loop and a quantifier range over (Agent), and
-- `ismember`.
-- Proved: only the owner may write; and who owns the cell has a copy.

const
  CacheCount: 3;

type
  Cache: scalarset(CacheCount);
  Home: enum { Memory };
  Agent: union { Cache, Home };

var
  Owner: Agent;
  Copy: array [Agent] of boolean;
  Writes: array [Cache] of boolean;

startstate
begin
  for a: Agent do
    Copy[a] := false;
  end;
  Copy[Memory] := true;
  Owner := Memory;
  for c: Cache do
    Writes[c] := false;
  end;
end;

ruleset c: Cache do
  rule "fetch"
    Owner = Memory
  ==>
  begin
    Copy[Memory] := false;
    Copy[c] := true;
    Owner := c;
  end;

  rule "write"
    Owner = c & !Writes[c]
  ==>
  begin
    Writes[c] := true;
  end;

  rule "written"
    Writes[c]
  ==>
  begin
    Writes[c] := false;
  end;

  rule "write back"
    ismember(Owner, Cache) & Owner = c & !Writes[c]
  ==>
  begin
    for a: Agent do
      Copy[a] := false;
    end;
    Copy[Memory] := true;
    Owner := Memory;
  end;
end;

invariant "only the owner writes"
  forall c: Cache do Writes[c] -> Owner = c end;

invariant "the owner alone has a copy"
  forall a: Agent do Copy[a] -> Owner = a end;
