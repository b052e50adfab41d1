import subprocess,sys,os,json,re
sys.argv,args=['compare.py'],sys.argv[1:]
exec(open('/tmp/attack/compare.py').read().split('bad=0')[0])
lo,hi=int(args[0]),int(args[1]); st={}
for seed in range(lo,hi):
    src=subprocess.run(['python3','gen.py',str(seed)],capture_output=True,text=True).stdout
    n=2
    with tempfile.TemporaryDirectory() as d:
        s=src.replace('N: 3;','N: %d;'%n)
        p=pm(s,d,n)
        if p[0]=='REFUSE': st['refuse:'+p[1][:45]]=st.get('refuse:'+p[1][:45],0)+1; continue
        if p[0] not in('OK','ERROR'): k='pm '+str(p[0]); r=None
        elif p[1] and (p[1][0] or 0)>300000: k='big'; r=None
        else:
            r=rumur(s,d)
            if r[0]=='OK' and p[0]=='OK': k='same' if (p[1]==r[1] or (p[1][0]==n*r[1][0] and p[1][1]==n*r[1][1])) else 'DIFF'
            elif r[0]=='ERROR' and p[0]=='ERROR': k='sameerr'
            else: k='DIFF'
        st[k]=st.get(k,0)+1
        if k not in('same','sameerr','big'):
            open('/tmp/attack/fuzz/%d.m'%seed,'w').write(src); print(seed,k,r,p,flush=True)
print(json.dumps(st,indent=1))
