-- Workers that finish a round together, and a token that goes around.
--
-- Shows what cannot be said for every number of workers: a successor. The
-- number of them that is stored, and the loop that adds up, could be. `explore`
-- looks at the sizes of the file.
-- States: 64, steps: 96

const
  WorkerCount: 4;

type
  Worker: 0..WorkerCount - 1;

var
  Done: array [Worker] of boolean;
  Count: 0..WorkerCount;
  Token: Worker;

procedure add_up();
begin
  Count := 0;
  for w: Worker do
    if Done[w] then
      Count := Count + 1;
    end;
  end;
end;

startstate
begin
  for w: Worker do
    Done[w] := false;
  end;
  Count := 0;
  Token := 0;
end;

rule "finish"
  !Done[Token]
==>
begin
  Done[Token] := true;
  add_up();
end;

rule "pass"
  Count > 0
==>
begin
  Token := (Token + 1) % WorkerCount;
end;

rule "next round"
  Count = WorkerCount
==>
begin
  for w: Worker do
    Done[w] := false;
  end;
  Count := 0;
end;

invariant "all are done where the number says so"
  Count = WorkerCount -> forall w: Worker do Done[w] end;
