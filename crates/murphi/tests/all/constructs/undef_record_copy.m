const N: 3;
type P: scalarset(N);
type M: record c: enum{none,req,ack}; d: boolean; p: P; end;
var ch: array[P] of M; buf: M;
startstate begin for i: P do ch[i].c := none; end; buf.c := none; end;
ruleset i: P do
rule ch[i].c = none ==> begin ch[i].c := req; ch[i].d := true; ch[i].p := i; end;
rule ch[i].c = req ==> begin buf := ch[i]; undefine ch[i]; ch[i].c := ack; end;
rule buf.c = req & ch[i].c = ack ==> begin ch[i] := buf; undefine buf; buf.c := none; end;
end;
invariant buf.c = req -> buf.d;
