-- As in counting.m, but a worker that is done may be counted again.
-- A run: 3 steps

const
  WorkerCount: 2;

type
  Worker: 0..WorkerCount - 1;

var
  Done: array [Worker] of boolean;
  Count: 0..WorkerCount + 1;

startstate
begin
  for w: Worker do
    Done[w] := false;
  end;
  Count := 0;
end;

ruleset w: Worker do
  rule "finish"
    true
  ==>
  begin
    Done[w] := true;
    Count := Count + 1;
  end;
end;

rule "next round"
  Count = WorkerCount & forall w: Worker do Done[w] end
==>
begin
  for w: Worker do
    Done[w] := false;
  end;
  Count := 0;
end;
