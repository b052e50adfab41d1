const N: 3;
type P: scalarset(N);
var a: array[P] of boolean; x: 0..3;
procedure p0(); begin x := 0; end; procedure p1(); begin p0(); p0(); end; procedure p2(); begin p1(); p1(); end; procedure p3(); begin p2(); p2(); end; procedure p4(); begin p3(); p3(); end; procedure p5(); begin p4(); p4(); end;
procedure p6(); begin p5(); p5(); end; procedure p7(); begin p6(); p6(); end; procedure p8(); begin p7(); p7(); end; procedure p9(); begin p8(); p8(); end; procedure p10(); begin p9(); p9(); end;procedure p11(); begin p10(); p10(); end;procedure p12(); begin p11(); p11(); end;procedure p13(); begin p12(); p12(); end;procedure p14(); begin p13(); p13(); end;procedure p15(); begin p14(); p14(); end;procedure p16(); begin p15(); p15(); end;procedure p17(); begin p16(); p16(); end;
startstate begin x := 3; for i: P do a[i] := false; end; end;
rule begin p17(); end;
