# more programs, lowered by jax with mesh data=2, model=4
import os
os.environ['XLA_FLAGS']='--xla_force_host_platform_device_count=8'
os.environ['JAX_PLATFORMS']='cpu'
import jax, jax.numpy as jnp, numpy as np
from jax import lax
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P
mesh=jax.make_mesh((2,4),('data','model'), axis_types=(jax.sharding.AxisType.Auto,)*2)
N=lambda *a: NamedSharding(mesh,P(*a))
S=jax.ShapeDtypeStruct
f32=jnp.float32
out={}
def add(name,f,ins,args):
    try:
        t=jax.jit(f,in_shardings=ins).lower(*args).as_text()
        open(name+'.mlir','w').write(t); print(name,len(t.splitlines()))
    except Exception as e: print(name,'ERR',str(e)[:300])
# scan train step (4 layers) with adam
def layer(h,w):
    w1,w2=w
    return h+jnp.tanh(h@w1)@w2, None
def loss(ws,x,y):
    h,_=lax.scan(layer,x,ws); return jnp.mean((h-y)**2)
def train(ws,m,v,x,y):
    l,g=jax.value_and_grad(loss)(ws,x,y)
    m=jax.tree.map(lambda m,g:0.9*m+0.1*g,m,g); v=jax.tree.map(lambda v,g:0.99*v+0.01*g*g,v,g)
    ws=jax.tree.map(lambda w,m,v:w-1e-3*m/(jnp.sqrt(v)+1e-8),ws,m,v)
    return ws,m,v,l
W=(S((4,256,1024),f32),S((4,1024,256),f32)); ws=(N(None,None,'model'),N(None,'model',None))
add('train_scan',train,(ws,ws,ws,N('data'),N('data')),(W,W,W,S((64,256),f32),S((64,256),f32)))
def remat(ws,x,y):
    def loss(ws):
        h,_=lax.scan(jax.checkpoint(layer),x,ws); return jnp.mean((h-y)**2)
    return jax.grad(loss)(ws)
add('remat_scan',remat,(ws,N('data'),N('data')),(W,S((64,256),f32),S((64,256),f32)))
# RNN grad
def rnn(p,xs):
    def step(h,x): 
        h=jnp.tanh(x@p['wx']+h@p['wh']+p['b']); return h,h
    h,hs=lax.scan(step,jnp.zeros((64,256)),xs); return jnp.sum(hs**2)
pr={'wx':S((128,256),f32),'wh':S((256,256),f32),'b':S((256,),f32)}
add('rnn_grad',jax.grad(rnn),({'wx':N(None,'model'),'wh':N(None,'model'),'b':N('model')},N(None,'data')),(pr,S((16,64,128),f32)))
# conv grad
def conv(p,x):
    dn=('NHWC','HWIO','NHWC')
    h=lax.conv_general_dilated(x,p['a'],(1,1),'SAME',dimension_numbers=dn); h=jax.nn.relu(h)
    h=lax.conv_general_dilated(h,p['b'],(2,2),'SAME',dimension_numbers=dn); h=jax.nn.relu(h)
    h=lax.reduce_window(h,-jnp.inf,lax.max,(1,2,2,1),(1,2,2,1),'VALID')
    h=lax.conv_general_dilated(h,p['d'],(1,1),'SAME',dimension_numbers=dn,feature_group_count=64)
    h=lax.conv_general_dilated(h,p['c'],(1,1),'VALID',rhs_dilation=(2,2),dimension_numbers=dn)
    return jnp.sum(jnp.mean(h,(1,2))**2)
cp={'a':S((3,3,4,32),f32),'b':S((3,3,32,64),f32),'c':S((3,3,64,64),f32),'d':S((3,3,1,64),f32)}
add('conv_grad',jax.grad(conv),({'a':N(),'b':N(None,None,None,'model'),'c':N(None,None,'model',None),'d':N()},N('data')),(cp,S((16,32,32,4),f32)))
# rng, sort, gather, scatter
def misc(key,x,idx,t):
    k1,k2=jax.random.split(key)
    u=jax.random.uniform(k1,(64,256)); n=jax.random.normal(k2,(64,256))
    p=jax.random.permutation(k1,64)
    g=t[idx]; s=jnp.sort(x,axis=-1); a=jnp.argsort(x,axis=0)
    sc=t.at[idx].add(g*2.); se=t.at[idx].set(g); tk=lax.top_k(x,8)
    c=jnp.cumsum(x,axis=1); w=jnp.where(u>0.5,x,n)
    return g,s,a,sc,se,tk,c,w,x[p],jnp.take_along_axis(x,a,axis=0), jnp.searchsorted(x[0],u[0]), jnp.unique(idx,size=5)
add('misc',misc,(N(),N('data'),N('data'),N('model')),(S((2,),jnp.uint32),S((64,256),f32),S((32,),jnp.int32),S((1024,512),f32)))
# embedding + lm loss grad with attention
def lm(p,tok):
    h=p['e'][tok]
    q,k,v=[jnp.einsum('bsd,dhk->bshk',h,p[n]) for n in ('q','k','v')]
    s=jnp.einsum('bshk,bthk->bhst',q,k)/8; s=jnp.where(jnp.tril(jnp.ones((128,128),bool)),s,-1e9)
    o=jnp.einsum('bhst,bthk,hkd->bsd',jax.nn.softmax(s),v,p['o']); h=h+o
    h=h+jax.nn.gelu(h@p['w1'])@p['w2']
    lg=jax.nn.log_softmax(h@p['e'].T)
    return -jnp.mean(jnp.take_along_axis(lg[:,:-1],tok[:,1:,None],-1))
lp={'e':S((1024,256),f32),'q':S((256,8,32),f32),'k':S((256,8,32),f32),'v':S((256,8,32),f32),'o':S((8,32,256),f32),'w1':S((256,1024),f32),'w2':S((1024,256),f32)}
ls={'e':N('model'),'q':N(None,'model'),'k':N(None,'model'),'v':N(None,'model'),'o':N('model'),'w1':N(None,'model'),'w2':N('model')}
add('lm_grad',jax.value_and_grad(lm),(ls,N('data')),(lp,S((8,128),jnp.int32)))
# while / cond / switch
def ctl(x,n,i):
    y=lax.while_loop(lambda c:c[0]<n,lambda c:(c[0]+1,jnp.tanh(c[1])@w(c[1])),(0,x))[1]
    z=lax.cond(n>3,lambda a:a*2,lambda a:jnp.sin(a),y)
    z=lax.switch(i,[lambda a:a+1,lambda a:-a,lambda a:jnp.flip(a,0)],z)
    return lax.fori_loop(0,10,lambda k,a:lax.dynamic_update_slice(a,a[:1]*2,(k,0)),z)
def w(x): return jnp.ones((256,256))*x.mean()
add('control',ctl,(N('data','model'),N(),N()),(S((64,256),f32),S((),jnp.int32),S((),jnp.int32)))
# kv cache decode
def dec(cache,q,k,pos):
    cache=lax.dynamic_update_slice(cache,k,(0,pos,0,0))
    s=jnp.einsum('bhd,bshd->bhs',q,cache); a=jax.nn.softmax(s); return cache,jnp.einsum('bhs,bshd->bhd',a,cache)
add('decode',dec,(N('data',None,'model'),N('data','model'),N('data',None,'model'),N()),(S((8,128,8,32),f32),S((8,8,32),f32),S((8,1,8,32),f32),S((),jnp.int32)))
# shard_map with psum, all_gather, constraint
def sm(x,wt):
    x=lax.with_sharding_constraint(x,N('data',None))
    def f(a,b):
        g=lax.all_gather(a,'model',axis=1,tiled=True); h=g@b
        r=lax.psum_scatter(h,'data',scatter_dimension=0,tiled=True)
        p=lax.ppermute(r,'data',[(0,1),(1,0)]); return lax.psum(p,'model')
    y=jax.shard_map(f,mesh=mesh,in_specs=(P('data','model'),P(None,'model')),out_specs=P('data','model'),check_vma=False)(x,wt)
    def f2(a): return jnp.sin(a)*lax.axis_index('data')
    z=jax.shard_map(f2,mesh=mesh,in_specs=P('data'),out_specs=P('data'),axis_names={'data'},check_vma=False)(y)
    return lax.with_sharding_constraint(z@z.T,N(None,P.UNCONSTRAINED))
add('shard_map2',sm,(N(),N(None,'model')),(S((64,256),f32),S((256,1024),f32)))
# linalg
def la(a,b):
    c=jnp.linalg.cholesky(a); q,r=jnp.linalg.qr(a); e=jnp.linalg.eigh(a); s=jnp.linalg.svd(a); i=jnp.linalg.inv(a); so=jnp.linalg.solve(a,b)
    return c,q,r,e,s,i,so,jnp.linalg.det(a)
add('linalg',la,(N('data'),N('data')),(S((8,64,64),f32),S((8,64,32),f32)))
def fft(x): return jnp.fft.rfft(x),jnp.fft.fft2(x),jnp.fft.irfft(jnp.fft.rfft(x))
add('fft',fft,(N('data'),),(S((64,64,64),f32),))
def cb(x):
    y=jax.pure_callback(lambda a:a,S((64,256),f32),x); jax.debug.print('{}',y.sum()); return y*2
add('callback',cb,(N('data'),),(S((64,256),f32),))
def bn(x,g,b): 
    y=(x-x.mean((0,1)))/jnp.sqrt(x.var((0,1))+1e-5)*g+b
    return jax.nn.softmax(jax.nn.silu(y)),jnp.concatenate([y,y],-1),jnp.pad(y,((0,0),(1,1),(0,0))),y[:,::2],jnp.roll(y,1,1),jnp.split(y,2,-1),jnp.stack([y,y]),jnp.argmax(y,-1),jnp.linalg.norm(y), jnp.repeat(y,2,axis=1), lax.rev(y,(0,)), jax.nn.one_hot(jnp.argmax(y,-1),256), jnp.einsum('bsd,bse->bde',y,y), jnp.median(y,axis=-1)
add('pieces',bn,(N('data',None,'model'),N('model'),N('model')),(S((8,128,256),f32),S((256,),f32),S((256,),f32)))
def lstm(p,xs):
    def step(c,x):
        h,c=c; z=jnp.concatenate([x,h],-1)@p; i,f,g,o=jnp.split(z,4,-1); c=jax.nn.sigmoid(f)*c+jax.nn.sigmoid(i)*jnp.tanh(g); h=jax.nn.sigmoid(o)*jnp.tanh(c); return (h,c),h
    z=jnp.zeros((64,256)); _,hs=lax.scan(step,(z,z),xs); return jnp.mean(hs)
add('lstm_grad',jax.grad(lstm),(N(None,'model'),N(None,'data')),(S((384,1024),f32),S((16,64,128),f32)))
# functions that operations name, before the one that runs
def entry(x,i): return lax.approx_max_k(x,2),lax.approx_min_k(x,3,reduction_dimension=0),jnp.argsort(x,axis=1)
add('comparators',entry,(N('data','model'),N('data')),(S((8,16),f32),S((8,16),jnp.int32)))
# manual over one axis: psum there constrains the values of its body
def partial_manual(x,w):
    def f(a,b):
        a=lax.with_sharding_constraint(a,P(None,'model')); h=jnp.tanh(a@b); return lax.psum(h,'data')/2+lax.axis_index('data')
    y=jax.shard_map(f,mesh=mesh,in_specs=(P('data'),P()),out_specs=P(),axis_names={'data'},check_vma=False)(x,w)
    return jax.jit(lambda y:jnp.cumsum(y,1))(y)
add('partial_manual',partial_manual,(N('data'),N(None,'model')),(S((8,16),f32),S((16,16),f32)))
