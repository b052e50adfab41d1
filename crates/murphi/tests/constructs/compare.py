#!/usr/bin/env python3
"""Usage: compare.py [-v] FILES... : each with `N: 3;`; compares rumur and /tmp/pm for N=1,2,3 (`-- sizes: 2,3` limits;
`-- norumur` skips rumur).  `-- expect: ...` is free text."""
import sys,subprocess,re,json,os,tempfile
PM=os.environ.get('PM','/tmp/pm')
def run(a,t=60,**k):
    try:
        p=subprocess.run(a,capture_output=True,text=True,timeout=t,**k); return p.returncode,p.stdout,p.stderr
    except subprocess.TimeoutExpired: return 'TIMEOUT','',''
def rumur(src,d):
    m=os.path.join(d,'x.m'); open(m,'w').write(src)
    rc,o,e=run(['rumur','--symmetry-reduction=off','--deadlock-detection=off','--threads','1','--set-capacity','1048576','--output',d+'/x.c',m])
    if rc!=0: return ('REJECT',e.strip().split('\n')[0][-110:])
    rc,o,e=run(['cc','-O0','-w','-mcx16',d+'/x.c','-o',d+'/x','-lpthread'],120)
    if rc!=0: return ('CC',e[:200])
    rc,o,e=run([d+'/x'],60)
    s=re.search(r'State Space Explored:\s*(\d+) states?, (\d+) rules? fired',o)
    err=re.search(r'The following is the error trace for the error:\s*\n*\s*(.*)',o) 
    n=(int(s[1]),int(s[2])) if s else None
    if rc!=0 or 'error' in o.split('Status')[-1][:60].lower() and 'No error' not in o:
        return ('ERROR',n,(err[1].strip() if err else o[-200:]))
    return ('OK',n)
def pm(src,d,n):
    m=os.path.join(d,'y.m'); open(m,'w').write(src)
    rc,o,e=run([PM,'explore',m,'-n',str(n),'--no-symmetry','--format','json'],10)
    if rc==2:
        mm=re.search(r'"error": "(.*)"',o)
        return ('REFUSE',mm[1] if mm else (o+e)[:200])
    try: j=json.loads(o); st=(j.get('states'),j.get('transitions'))
    except Exception: st=None
    if rc==0: return ('OK',st)
    if rc==1: return ('ERROR',st)
    return ('RC%s'%rc,st,(o+e)[-300:])
def verify(src,d):
    m=os.path.join(d,'z.m'); open(m,'w').write(src)
    rc,o,e=run([PM,'verify',m,'--timeout','20'],40)
    return {0:'Safe',1:'Unsafe',2:'REFUSE'}.get(rc,'RC%s'%rc)
bad=0
for f in sys.argv[1:]:
    if f=='-v': continue
    src=open(f).read()
    sz=re.search(r'-- sizes: ([\d,]+)',src); sizes=[int(x) for x in sz[1].split(',')] if sz else [1,2,3]
    with tempfile.TemporaryDirectory() as d:
        v=verify(src,d); lines=[]; ok=True; anyerr=False
        for n in sizes:
            s=re.sub(r'\bN: 3;','N: %d;'%n,src)
            r=('SKIP',) if '-- norumur' in src else rumur(s,d)
            p=pm(s,d,n)
            same = (r[0]=='OK' and p[0]=='OK' and r[1]==p[1]) or (r[0]=='ERROR' and p[0]=='ERROR')
            note=''
            if r[0]=='OK' and p[0]=='OK' and r[1]!=p[1]:
                if p[1] and p[1][0]==n*r[1][0] and p[1][1]==n*r[1][1]: note='(x N)'; same=True
                elif p[1] and r[1][0] and p[1][0]%r[1][0]==0 and p[1][0]//r[1][0]*r[1][1]==p[1][1]: note='(x %d)'%(p[1][0]//r[1][0]); same=True
            ok&=same; anyerr|=(r[0]=='ERROR')
            lines.append(f'   N={n} rumur={r} pm={p} {note}')
        vv = v
        if (anyerr and v=='Safe') or (not anyerr and v=='Unsafe'): ok=False; vv+=' !!'
        if p[0]=='REFUSE':
            print('refu',os.path.basename(f),'verify='+vv,'rumur='+str(r),p[1],flush=True); continue
        print(('ok  ' if ok else 'DIFF'),os.path.basename(f),'verify='+vv, 'n=%d: %s %s %s'%(n,r[0],p[1:2],note) if ok else '',flush=True)
        if not ok or '-v' in sys.argv: print('\n'.join(lines),flush=True)
