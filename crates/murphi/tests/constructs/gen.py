#!/usr/bin/env python3
"""gen.py SEED > model: a random small Murphi model, mostly free of errors."""
import random,sys
seed=int(sys.argv[1]); R=random.Random(seed)
c=R.choice; rnd=R.random
class G:
    def __init__(s): s.k=0
    def fresh(s): s.k+=1; return 'v%d'%s.k
g=G()
# scope: procs = list of process-valued names; ints: readonly int names; loop: current loop var or None
def P(sc,d=2):
    if rnd()<.55 or d==0: return c(sc['procs'])
    return c(['x','y','nx[%s]'%P(sc,d-1)])
def S(sc,d=2):  # 0..2 small index, defined
    o=['s','%d'%R.randrange(3)]+sc['ints']
    if d>0: o+=['c[%s]'%P(sc,d-1),'t[%s]'%S(sc,d-1),'(%s+%s)%%3'%(S(sc,d-1),S(sc,d-1)),'(%s ? %s : %s)'%(B(sc,d-1),S(sc,d-1),S(sc,d-1)),'f(%s,%s)'%(P(sc,d-1),S(sc,d-1)) if not sc.get('noq') else 's','2-%s'%S(sc,0),'r[%s].v'%P(sc,d-1)]
    return c(o)
def E(sc,d=1): return c(['e1','e2','e3','e'] + (['r[%s].k'%P(sc,d-1),'h[%s]'%E(sc,0)] if d>0 else []))
def B(sc,d=2):
    o=['b[%s]'%P(sc,0),'w']
    if d>0:
        o+=['b[%s]'%P(sc,d-1),'m[%s][%s]'%(P(sc,d-1),P(sc,d-1)),'%s = %s'%(P(sc,d-1),P(sc,d-1)),'%s != %s'%(P(sc,d-1),P(sc,d-1)),
            '%s %s %s'%(S(sc,d-1),c(['=','!=','<','<=','>','>=']),S(sc,d-1)),'%s = %s'%(E(sc,1),E(sc,1)),
            '!(%s)'%B(sc,d-1),'(%s %s %s)'%(B(sc,d-1),c(['&','|','->']),B(sc,d-1)),'(%s %s %s)'%(B(sc,d-1),c(['&','|','->']),B(sc,d-1)),
            'isundefined(u[%s])'%P(sc,d-1),'(!isundefined(u[{0}]) & u[{0}] = {1})'.format(P(sc,d-1),S(sc,0)),
            '(isundefined(z) | z != %s)'%P(sc,d-1)]
        if rnd()<.5:
            v=g.fresh(); n=dict(sc,procs=sc['procs']+[v],noq=1); o+=['(%s %s: P do %s end)'%(c(['forall','exists']),v,B(n,d-1))]*2
        if rnd()<.3:
            v=g.fresh(); n=dict(sc,ints=sc['ints']+[v],noq=1); o+=['(%s %s: S do %s end)'%(c(['forall','exists']),v,B(n,d-1))]
    return c(o)
def stmts(sc,d,n=None): return ' '.join(st(sc,d) for _ in range(n or R.randrange(1,4)))
def st(sc,d):
    k=R.randrange(26)
    if sc.get('loop'):
        v=sc['loop']; q=R.randrange(9)
        if q==0: return 'c[%s] := %s;'%(v,S(sc,1))
        if q==1: return 'b[%s] := %s;'%(v,B(sc,2))
        if q==2: return 'm[%s][%s] := %s;'%(v,P(sc,1),B(sc,1))
        if q==3: return 'nx[%s] := %s;'%(v,P(sc,1))
        if q==4: return 'undefine u[%s];'%v
        if q==5 and d>0: return 'if %s then %s %s end;'%(B(sc,2),stmts(sc,d-1),c(['','else '+stmts(sc,d-1),'elsif %s then %s'%(B(sc,1),stmts(sc,d-1))]))
        if q==6: return 'if %s then w := true; end;'%B(sc,1)
        if q==7: return 'r[%s].v := %s; r[%s].k := %s;'%(v,S(sc,1),v,E(sc,0))
        return 'u[%s] := %s;'%(v,S(sc,1))
    if k<2: return 'c[%s] := %s;'%(P(sc,1),S(sc))
    if k<4: return 'b[%s] := %s;'%(P(sc,1),B(sc))
    if k==4: return 's := %s;'%S(sc)
    if k==5: return c(['x','y'])+' := %s;'%P(sc)
    if k==6: return 'nx[%s] := %s;'%(P(sc,1),P(sc,1))
    if k==7: return 'm[%s][%s] := %s;'%(P(sc,1),P(sc,1),B(sc,1))
    if k==8: return 't[%s] := %s;'%(S(sc,1),S(sc,1))
    if k==9: return 'e := %s; h[%s] := %s;'%(E(sc,1),E(sc,1),E(sc,1))
    if k==10: return c(['undefine u[%s];'%P(sc,1),'undefine z;','u[%s] := %s;'%(P(sc,1),S(sc,1)),'z := %s;'%P(sc,1)])
    if k==11: return 'r[%s] := r[%s];'%(P(sc,1),P(sc,1))
    if k==12: return 'r[%s].%s;'%(P(sc,1),c(['v := '+S(sc,1),'k := '+E(sc,1)]))
    if k==13: return 'p1(%s, %s);'%(c(['c[%s]'%P(sc,1),'s','t[%s]'%S(sc,1)]),P(sc,1))
    if k==14: return 'm[%s] := m[%s];'%(P(sc,1),P(sc,1))
    if k==15 and rnd()<.5: return 'w := %s; if w then return; end;'%B(sc,1)
    if d>0:
        if k<19: return 'if %s then %s %s end;'%(B(sc,2),stmts(sc,d-1),c(['','else '+stmts(sc,d-1),'elsif %s then %s'%(B(sc,1),stmts(sc,d-1)),'elsif %s then %s else %s'%(B(sc,1),stmts(sc,d-1),stmts(sc,d-1))]))
        if k==19: v=g.fresh(); return 'alias %s: %s do %s %s := %s; %s end;'%(v,'c[%s]'%P(sc,1),stmts(sc,d-1),v,S(sc,1),stmts(dict(sc,ints=sc['ints']+[v]),d-1))
        if k==20: return 'switch %s case 0: %s case 1,2: %s end;'%(S(sc,1),stmts(sc,d-1),stmts(sc,d-1))
        if k==21: return 'switch %s case e1: %s case e3: %s else %s end;'%(E(sc,1),stmts(sc,d-1),stmts(sc,d-1),stmts(sc,d-1))
        if k==22: v=g.fresh(); return 'for %s: S do %s end;'%(v,stmts(dict(sc,ints=sc['ints']+[v]),d-1,1))
        if k<26: v=g.fresh(); return 'for %s: P do %s end;'%(v,stmts(dict(sc,procs=sc['procs']+[v,v,v],loop=v),d-1))
    return 's := (s + 1) % 3;'
out=['''const N: 3;
type P: scalarset(N); S: 0..2; K: enum{e1,e2,e3};
var c: array[P] of S; b: array[P] of boolean; m: array[P] of array[P] of boolean; nx: array[P] of P; x, y, z: P; s: S; w: boolean;
 t: array[S] of S; e: K; h: array[K] of K; u: array[P] of S; r: array[P] of record v: S; k: K; end;''']
fsc=dict(procs=['fi','fi','x'],ints=['fs'])
out.append('function f(fi: P; fs: S): S; begin if %s then return %s; end; return %s; end;'%(B(dict(fsc,noq=1),1),S(dict(fsc,noq=1),1),S(dict(fsc,noq=1),1)))
out.append('procedure p1(var q: S; fi: P); var l: S; begin l := q; %s if %s then return; end; q := %s; %s end;'%(stmts(dict(procs=['fi'],ints=['q','l']),0,1),B(dict(procs=['fi'],ints=['q'],noq=1),1),S(dict(procs=['fi'],ints=['q','l'],noq=1),1),stmts(dict(procs=['fi'],ints=['q','l']),0,1)))
out.append('ruleset q: P do startstate begin x := q; y := q; s := 0; w := false; e := e1; for i: P do c[i] := (i = q) ? 1 : 0; b[i] := i = q; nx[i] := q; r[i].v := 0; r[i].k := e2; for j: P do m[i][j] := i = j; end; end; for i: S do t[i] := i; end; for i: K do h[i] := i; end; end; end;')
for _ in range(R.randrange(2,4)):
    np=R.randrange(0,3); ps=['i','j'][:np]
    sc=dict(procs=(ps*2 or [])+['x','y'],ints=[])
    body='rule %s ==> begin %s end;'%(B(sc,2),stmts(sc,2,R.randrange(1,4)))
    if np: body='ruleset %s do %s end;'%('; '.join(p+': P' for p in ps),body)
    out.append(body)
print('\n'.join(out))
