"""Writes what Shardy's pipeline makes of random modules of StableHLO: `sharding_modules_random.json`, a row for each with the
module as MLIR prints it, and the module after propagation. The modules have all operations that have a rule, with attributes of
all kinds, operations that nothing uses, loops, calls, manual computations, and shardings with sub-axes and priorities.

Run with jax 0.10, in this directory: python sharding_modules_random.py
"""

import json
import os
import random

import jaxlib.mlir.dialects.sdy  # registers the dialect
from jax._src.interpreters import mlir
from jaxlib.mlir import ir, passmanager

ROWS = 400
MESHES = [[("x", 2), ("y", 4)], [("x", 2), ("y", 2), ("z", 2)], [("x", 2), ("y", 3)], [("x", 4)], [("x", 6), ("y", 2)]]


class Module:
    """A module whose function `main` grows by one random operation at a time."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.axes = self.random.choice(MESHES)
        self.arguments, self.body, self.functions, self.bodies = [], [], [], []
        # The values so far: name, sizes, element type.
        self.values = []
        self.count = 0

    def name(self):
        self.count += 1
        return f"%v{self.count}"

    def type(self, dims, dtype="f32"):
        return "tensor<" + "".join(f"{size}x" for size in dims) + dtype + ">"

    def sharding(self, rank):
        """Each axis, or each of the two parts of some axes, on a dimension or on none: `<@mesh, [{"x"}, {"y":(1)2, ?}p1]>`."""
        parts = []
        for name, size in self.random.sample(self.axes, len(self.axes)):
            is_cut = size in (4, 6) and self.random.random() < 0.3
            parts += [f'"{name}":(1)2', f'"{name}":(2){size // 2}'] if is_cut else [f'"{name}"']
        dims = [[] for _ in range(rank)]
        for part in parts if rank else []:
            if self.random.random() < 0.5:
                self.random.choice(dims).append(part)
        texts = []
        for dim in dims:
            text = ", ".join(dim)
            for name, size in self.axes:
                # Consecutive parts are written as one.
                text = text.replace(f'"{name}":(1)2, "{name}":(2){size // 2}', f'"{name}"')
            is_open = self.random.random() < 0.5
            text = ", ".join(filter(None, [text, "?" if is_open else ""]))
            has_priority = text and self.random.random() < 0.15
            texts.append("{" + text + "}" + (f"p{self.random.randrange(3)}" if has_priority else ""))
        return f"<@mesh, [{', '.join(texts)}]>"

    def argument(self, dims, dtype="f32"):
        name = f"%arg{len(self.arguments)}"
        is_sharded = self.random.random() < 0.6
        sharding = f" {{sdy.sharding = #sdy.sharding{self.sharding(len(dims))}}}" if is_sharded else ""
        self.arguments.append(f"{name}: {self.type(dims, dtype)}{sharding}")
        self.values.append((name, list(dims), dtype))
        return self.values[-1]

    def value(self, fits, make=None):
        """A value whose sizes and type fit, preferably a recent one, or a new argument."""
        known = [value for value in self.values if fits(value[1], value[2])]
        if known and self.random.random() < 0.8:
            return self.random.choice(known[-6:] if self.random.random() < 0.7 else known)
        rank = self.random.choice([1, 2, 2, 3, 3, 4])
        return self.argument(make() if make else [self.random.choice([1, 2, 3, 4, 6, 8, 8, 12]) for _ in range(rank)])

    def emit(self, text, results):
        names = [self.name() for _ in results]
        if len(names) == 1:
            self.body.append(f"{names[0]} = {text}")
        else:
            self.body.append(f"{names[0]}:{len(names)} = {text}")
            names = [f"{names[0]}#{at}" for at in range(len(names))]
        for name, (dims, dtype) in zip(names, results):
            if 0 not in dims:
                self.values.append((name, list(dims), dtype))

    def scalar(self, dtype="f32"):
        name = self.name()
        self.body.append(f"{name} = stablehlo.constant dense<{'0.0' if dtype == 'f32' else '0'}> : tensor<{dtype}>")
        return name


def f32(d, t):
    return t == "f32" and len(d) > 0


def reducer(op, t="f32"):
    return f"({{ ^bb0(%p: tensor<{t}>, %q: tensor<{t}>): %z = stablehlo.{op} %p, %q : tensor<{t}>\n stablehlo.return %z : tensor<{t}> }})"


def comparator(t="f32", more=""):
    return f"({{ ^bb0(%p: tensor<{t}>, %q: tensor<{t}>{more}): %z = stablehlo.compare LT, %p, %q : (tensor<{t}>, tensor<{t}>) -> tensor<i1>\n stablehlo.return %z : tensor<i1> }})"


def unary(module):
    n, d, t = module.value(f32)
    op = module.random.choice(
        [
            "tanh",
            "exponential",
            "sqrt",
            "negate",
            "abs",
            "floor",
            "cosine",
            "logistic",
            "rsqrt",
            "cbrt",
            "sign",
            "log_plus_one",
            "tan",
            "round_nearest_afz",
        ]
    )
    module.emit(f"stablehlo.{op} {n} : {module.type(d)}", [(d, "f32")])


def chlo(module):
    n, d, t = module.value(f32)
    op = module.random.choice(["erf", "square", "asin", "lgamma", "sinh", "digamma", "erf_inv", "bessel_i1e"])
    module.emit(f"chlo.{op} {n} : {module.type(d)} -> {module.type(d)}", [(d, "f32")])


def binary(module):
    n, d, t = module.value(f32)
    m, _, _ = module.value(lambda e, t: e == d and t == "f32", lambda: d)
    op = module.random.choice(["add", "multiply", "maximum", "subtract", "power", "atan2", "remainder"])
    module.emit(f"stablehlo.{op} {n}, {m} : {module.type(d)}", [(d, "f32")])


def select(module):
    n, d, t = module.value(f32)
    m, _, _ = module.value(lambda e, t: e == d and t == "f32", lambda: d)
    if module.random.random() < 0.5:
        p = module.name()
        module.body.append(f"{p} = stablehlo.compare LT, {n}, {m} : ({module.type(d)}, {module.type(d)}) -> {module.type(d,'i1')}")
        pt = module.type(d, "i1")
    else:
        p, _, _ = module.argument([], "i1")
        module.values.pop()
        pt = "tensor<i1>"
    module.emit(f"stablehlo.select {p}, {n}, {m} : {pt}, {module.type(d)}", [(d, "f32")])


def clamp(module):
    n, d, t = module.value(f32)
    lo = module.scalar()
    if module.random.random() < 0.5:
        module.emit(f"stablehlo.clamp {lo}, {n}, {lo} : (tensor<f32>, {module.type(d)}, tensor<f32>) -> {module.type(d)}", [(d, "f32")])
    else:
        module.emit(f"stablehlo.clamp {n}, {n}, {n} : {module.type(d)}", [(d, "f32")])


def convert(module):
    n, d, t = module.value(f32)
    m = module.name()
    module.body.append(f"{m} = stablehlo.convert {n} : ({module.type(d)}) -> {module.type(d,'bf16')}")
    module.emit(f"stablehlo.convert {m} : ({module.type(d,'bf16')}) -> {module.type(d)}", [(d, "f32")])


def bitcast_convert(module):
    n, d, t = module.value(f32)
    k = module.random.choice([0, 1])
    if k:
        m = module.name()
        module.body.append(f"{m} = stablehlo.bitcast_convert {n} : ({module.type(d)}) -> {module.type(d+[4],'ui8')}")
        module.emit(f"stablehlo.bitcast_convert {m} : ({module.type(d+[4],'ui8')}) -> {module.type(d)}", [(d, "f32")])
    else:
        m = module.name()
        module.body.append(f"{m} = stablehlo.bitcast_convert {n} : ({module.type(d)}) -> {module.type(d,'i32')}")
        module.emit(f"stablehlo.bitcast_convert {m} : ({module.type(d,'i32')}) -> {module.type(d)}", [(d, "f32")])


def transpose(module):
    n, d, t = module.value(f32)
    p = list(range(len(d)))
    module.random.shuffle(p)
    e = [d[i] for i in p]
    module.emit(f"stablehlo.transpose {n}, dims = {p} : ({module.type(d)}) -> {module.type(e)}", [(e, "f32")])


def factors(random, n, k):
    out = []
    for _ in range(k - 1):
        ds = [x for x in range(1, n + 1) if n % x == 0]
        x = random.choice(ds)
        out.append(x)
        n //= x
    out.append(n)
    random.shuffle(out)
    return out


def reshape(module):
    n, d, t = module.value(f32)
    p = 1
    for x in d:
        p *= x
    e = factors(module.random, p, module.random.choice([1, 2, 3, 4]))
    module.emit(f"stablehlo.reshape {n} : ({module.type(d)}) -> {module.type(e)}", [(e, "f32")])


def broadcast(module):
    n, d, t = module.value(lambda d, t: t == "f32" and len(d) <= 3)
    rank = len(d) + module.random.randrange(0, 3)
    pos = module.random.sample(range(rank), len(d))
    if module.random.random() < 0.7:
        pos.sort()
    e = [module.random.choice([1, 2, 4, 6]) for _ in range(rank)]
    for i, p in enumerate(pos):
        e[p] = d[i] if d[i] != 1 or module.random.random() < 0.5 else module.random.choice([2, 4, 8])
    module.emit(f"stablehlo.broadcast_in_dim {n}, dims = {pos} : ({module.type(d)}) -> {module.type(e)}", [(e, "f32")])


def reduce(module):
    n, d, t = module.value(f32)
    k = module.random.randrange(0, len(d) + 1)
    dims = sorted(module.random.sample(range(len(d)), k))
    e = [x for i, x in enumerate(d) if i not in dims]
    z = module.scalar()
    op = module.random.choice(["add", "maximum", "multiply", "subtract"])
    if module.random.random() < 0.8:
        module.emit(
            f'"stablehlo.reduce"({n}, {z}) <{{dimensions = array<i64{": "+", ".join(map(str,dims)) if dims else ""}>}}> {reducer(op)} : ({module.type(d)}, tensor<f32>) -> {module.type(e)}',
            [(e, "f32")],
        )
    else:
        m, _, _ = module.value(lambda e2, t: e2 == d and t == "f32", lambda: d)
        module.emit(
            f""""stablehlo.reduce"({n}, {m}, {z}, {z}) <{{dimensions = array<i64{": "+", ".join(map(str,dims)) if dims else ""}>}}> ({{ ^bb0(%p: tensor<f32>, %q: tensor<f32>, %pp: tensor<f32>, %qq: tensor<f32>): %z = stablehlo.add %p, %pp : tensor<f32>
 %y = stablehlo.maximum %q, %qq : tensor<f32>
 stablehlo.return %z, %y : tensor<f32>, tensor<f32> }}) : ({module.type(d)}, {module.type(d)}, tensor<f32>, tensor<f32>) -> ({module.type(e)}, {module.type(e)})""",
            [(e, "f32"), (e, "f32")],
        )


def dot_general(module):
    n, d, t = module.value(f32)
    random = module.random
    dims = list(range(len(d)))
    random.shuffle(dims)
    nb = random.randrange(0, min(2, len(d)) + 1)
    nc = random.randrange(0, len(d) - nb + 1)
    lb = dims[:nb]
    lc = dims[nb : nb + nc]
    free = [random.choice([1, 2, 4, 6]) for _ in range(random.randrange(0, 3))]
    items = [("b", i) for i in range(nb)] + [("c", i) for i in range(nc)] + [("f", i) for i in range(len(free))]
    random.shuffle(items)
    e = [d[lb[i]] if k == "b" else d[lc[i]] if k == "c" else free[i] for k, i in items]
    rb = [items.index(("b", i)) for i in range(nb)]
    rc = [items.index(("c", i)) for i in range(nc)]
    m, _, _ = module.value(lambda x, t: x == e and t == "f32", lambda: e)
    res = [d[i] for i in lb] + [x for i, x in enumerate(d) if i not in lb + lc] + [x for i, x in enumerate(e) if i not in rb + rc]
    bt = f"batching_dims = {lb} x {rb}, " if nb else ""
    module.emit(
        f"stablehlo.dot_general {n}, {m}, {bt}contracting_dims = {lc} x {rc} : ({module.type(d)}, {module.type(e)}) -> {module.type(res)}",
        [(res, "f32")],
    )


def concatenate(module):
    n, d, t = module.value(f32)
    a = module.random.randrange(len(d))
    items = [(n, d)]
    for _ in range(module.random.randrange(0, 3)):
        e = d[:]
        e[a] = module.random.choice([1, 2, d[a]])
        m, _, _ = module.value(lambda x, t: x == e and t == "f32", lambda: e)
        items.append((m, e))
    res = d[:]
    res[a] = sum(x[1][a] for x in items)
    module.emit(
        f"stablehlo.concatenate {', '.join(x[0] for x in items)}, dim = {a} : ({', '.join(module.type(x[1]) for x in items)}) -> {module.type(res)}",
        [(res, "f32")],
    )


def rotation(module):
    n, d, t = module.value(lambda d, t: t == "f32" and max(d + [0]) > 1)
    big = [i for i, x in enumerate(d) if x > 1]
    if not big:
        return
    a = module.random.choice(big)
    k = module.random.randrange(1, d[a])

    def sl(lo, hi):
        e = d[:]
        e[a] = hi - lo
        m = module.name()
        module.body.append(
            f"{m} = stablehlo.slice {n} [{', '.join(f'{lo}:{hi}' if i==a else f'0:{x}' for i,x in enumerate(d))}] : ({module.type(d)}) -> {module.type(e)}"
        )
        return m, e

    (p, pe), (q, qe) = sl(k, d[a]), sl(0, k)
    if module.random.random() < 0.3:
        q, qe = n, d
    res = d[:]
    res[a] = pe[a] + qe[a]
    module.emit(f"stablehlo.concatenate {p}, {q}, dim = {a} : ({module.type(pe)}, {module.type(qe)}) -> {module.type(res)}", [(res, "f32")])


def pad(module):
    n, d, t = module.value(f32)
    z = module.scalar()
    lo = [module.random.choice([0, 0, 1, 2]) for _ in d]
    hi = [module.random.choice([0, 0, 1, -1 if x > 1 else 0]) for x in d]
    it = [module.random.choice([0, 0, 0, 1]) for _ in d]
    e = [l + h + x + (x - 1) * i if x else l + h for l, h, i, x in zip(lo, hi, it, d)]
    module.emit(
        f"stablehlo.pad {n}, {z}, low = {lo}, high = {hi}, interior = {it} : ({module.type(d)}, tensor<f32>) -> {module.type(e)}",
        [(e, "f32")],
    )


def slice_(module):
    n, d, t = module.value(f32)
    st = []
    e = []
    for x in d:
        lo = module.random.choice([0, 0, module.random.randrange(x)])
        hi = module.random.choice([x, module.random.randrange(lo + 1, x + 1)])
        s = module.random.choice([1, 1, 2])
        st.append(f"{lo}:{hi}:{s}")
        e.append(-(-(hi - lo) // s))
    module.emit(f"stablehlo.slice {n} [{', '.join(st)}] : ({module.type(d)}) -> {module.type(e)}", [(e, "f32")])


def index(module, k):
    if module.random.random() < 0.5:
        return [module.scalar("i32") for _ in range(k)]
    out = []
    for _ in range(k):
        n, _, _ = module.argument([], "i32")
        module.values.pop()
        out.append(n)
    return out


def dynamic_slice(module):
    n, d, t = module.value(f32)
    ix = index(module, len(d))
    e = [module.random.choice([x, x, 1, max(1, x // 2)]) for x in d]
    module.emit(
        f"stablehlo.dynamic_slice {n}, {', '.join(ix)}, sizes = {e} : ({module.type(d)}, {', '.join(['tensor<i32>']*len(d))}) -> {module.type(e)}",
        [(e, "f32")],
    )


def dynamic_update_slice(module):
    n, d, t = module.value(f32)
    e = [module.random.choice([x, x, 1, max(1, x // 2)]) for x in d]
    m, _, _ = module.value(lambda x, t: x == e and t == "f32", lambda: e)
    ix = index(module, len(d))
    module.emit(
        f"stablehlo.dynamic_update_slice {n}, {m}, {', '.join(ix)} : ({module.type(d)}, {module.type(e)}, {', '.join(['tensor<i32>']*len(d))}) -> {module.type(d)}",
        [(d, "f32")],
    )


def sort(module):
    n, d, t = module.value(f32)
    a = module.random.randrange(len(d))
    if module.random.random() < 0.6:
        module.emit(
            f'"stablehlo.sort"({n}) <{{dimension = {a} : i64}}> {comparator()} : ({module.type(d)}) -> {module.type(d)}', [(d, "f32")]
        )
    else:
        m, _, _ = module.value(lambda x, t: x == d and t == "f32", lambda: d)
        module.emit(
            f'"stablehlo.sort"({n}, {m}) <{{dimension = {a} : i64}}> {comparator(more=", %p2: tensor<f32>, %q2: tensor<f32>")} : ({module.type(d)}, {module.type(d)}) -> ({module.type(d)}, {module.type(d)})',
            [(d, "f32"), (d, "f32")],
        )


def reverse(module):
    n, d, t = module.value(f32)
    dims = sorted(module.random.sample(range(len(d)), module.random.randrange(0, len(d) + 1)))
    module.emit(f"stablehlo.reverse {n}, dims = {dims} : {module.type(d)}", [(d, "f32")])


def windows(module, d):
    w = []
    s = []
    p = []
    e = []
    for x in d:
        while 1:
            a = module.random.choice([1, 1, 2, 3])
            b = module.random.choice([1, 1, 2])
            lo = module.random.choice([0, 0, 1])
            hi = module.random.choice([0, 0, 1])
            if x + lo + hi >= a:
                break
        w.append(a)
        s.append(b)
        p.append([lo, hi])
        e.append((x + lo + hi - a) // b + 1)
    return w, s, p, e


def array(x):
    return "array<i64: " + ", ".join(map(str, x)) + ">"


def reduce_window(module):
    n, d, t = module.value(f32)
    w, s, p, e = windows(module, d)
    z = module.scalar()
    module.emit(
        f'"stablehlo.reduce_window"({n}, {z}) <{{window_dimensions = {array(w)}, window_strides = {array(s)}, padding = dense<{p}> : tensor<{len(d)}x2xi64>}}> {reducer(module.random.choice(["add","maximum"]))} : ({module.type(d)}, tensor<f32>) -> {module.type(e)}',
        [(e, "f32")],
    )


def select_and_scatter(module):
    n, d, t = module.value(f32)
    w, s, p, e = windows(module, d)
    z = module.scalar()
    m, _, _ = module.value(lambda x, t: x == e and t == "f32", lambda: e)
    module.emit(
        f'"stablehlo.select_and_scatter"({n}, {m}, {z}) <{{window_dimensions = {array(w)}, window_strides = {array(s)}, padding = dense<{p}> : tensor<{len(d)}x2xi64>}}> ({comparator()[1:-1]}, {reducer("add")[1:-1]}) : ({module.type(d)}, {module.type(e)}, tensor<f32>) -> {module.type(d)}',
        [(d, "f32")],
    )


def linear(module):
    n, d, t = module.value(
        lambda d, t: t == "f32" and len(d) >= 2 and d[-1] == d[-2], lambda: module.random.choice([[4, 4], [2, 4, 4], [8, 8], [3, 2, 2, 2]])
    )
    if module.random.random() < 0.5:
        module.emit(f"stablehlo.cholesky {n}, lower = true : {module.type(d)}", [(d, "f32")])
    else:
        e = d[:]
        left = module.random.random() < 0.5
        k = module.random.choice([1, 2, 4, d[-1]])
        if left:
            e[-1] = k
        else:
            e[-2] = k
        m, _, _ = module.value(lambda x, t: x == e and t == "f32", lambda: e)
        module.emit(
            f'"stablehlo.triangular_solve"({n}, {m}) <{{left_side = {"true" if left else "false"}, lower = true, transpose_a = #stablehlo<transpose {module.random.choice(["NO_TRANSPOSE","TRANSPOSE","ADJOINT"])}>, unit_diagonal = false}}> : ({module.type(d)}, {module.type(e)}) -> {module.type(e)}',
            [(e, "f32")],
        )


def fft(module):
    n, d, t = module.value(f32)
    k = module.random.randrange(1, min(3, len(d)) + 1)
    e = d[:]
    m = module.name()
    if module.random.random() < 0.5:
        e[-1] = d[-1] // 2 + 1
        module.body.append(
            f"{m} = stablehlo.fft {n}, type = RFFT, length = {d[-k:]} : ({module.type(d)}) -> {module.type(e,'complex<f32>')}"
        )
    else:
        c = module.name()
        module.body.append(f"{c} = stablehlo.complex {n}, {n} : {module.type(d,'complex<f32>')}")
        module.body.append(
            f"{m} = stablehlo.fft {c}, type = {module.random.choice(['FFT','IFFT'])}, length = {d[-k:]} : ({module.type(d,'complex<f32>')}) -> {module.type(d,'complex<f32>')}"
        )
    module.emit(f"stablehlo.real {m} : ({module.type(e,'complex<f32>')}) -> {module.type(e)}", [(e, "f32")])


def convolution(module):
    random = module.random
    k = random.choice([1, 1, 2])
    bg = fg = 1
    if random.random() < 0.25:
        bg = random.choice([2, 4])
    elif random.random() < 0.4:
        fg = random.choice([2, 4])
    b = bg * random.choice([1, 2, 4])
    fpg = random.choice([1, 2, 4])
    f = fg * fpg
    o = bg * fg * random.choice([1, 2, 3])
    sp = [random.choice([1, 4, 6, 8]) for _ in range(k)]
    ks = []
    st = []
    pd = []
    ld = []
    rd = []
    os = []
    for x in sp:
        while 1:
            w = random.choice([1, 1, 2, 3])
            s = random.choice([1, 1, 2, 4])
            lo = random.choice([0, 0, 1])
            hi = random.choice([0, 0, 1])
            l = random.choice([1, 1, 1, 2])
            q = random.choice([1, 1, 1, 2])
            X = (x - 1) * l + 1 + lo + hi
            W = (w - 1) * q + 1
            if X >= W:
                break
        ks.append(w)
        st.append(s)
        pd.append([lo, hi])
        ld.append(l)
        rd.append(q)
        os.append((X - W) // s + 1)

    def lay(names):
        p = names[:]
        random.shuffle(p) if random.random() < 0.5 else None
        return p

    sn = [str(i) for i in range(k)]
    I = lay(["b"] + sn + ["f"])
    K = lay(sn + ["i", "o"])
    O = lay(["b"] + sn + ["f"])
    iv = {"b": b, "f": f, **{str(i): x for i, x in enumerate(sp)}}
    kv = {"i": fpg, "o": o, **{str(i): x for i, x in enumerate(ks)}}
    ov = {"b": b // bg, "f": o, **{str(i): x for i, x in enumerate(os)}}
    d = [iv[c] for c in I]
    e = [kv[c] for c in K]
    res = [ov[c] for c in O]
    n, _, _ = module.value(lambda x, t: x == d and t == "f32", lambda: d)
    m, _, _ = module.value(lambda x, t: x == e and t == "f32", lambda: e)
    module.emit(
        f"stablehlo.convolution({n}, {m}) dim_numbers = [{', '.join(I)}]x[{', '.join(K)}]->[{', '.join(O)}], window = {{stride = {st}, pad = {pd}, lhs_dilate = {ld}, rhs_dilate = {rd}}} {{batch_group_count = {bg} : i64, feature_group_count = {fg} : i64}} : ({module.type(d)}, {module.type(e)}) -> {module.type(res)}",
        [(res, "f32")],
    )


def gather(module):
    random = module.random
    n, d, t = module.value(f32)
    rank = len(d)
    dims = list(range(rank))
    random.shuffle(dims)
    nb = random.choice([0, 0, 1]) if rank > 1 else 0
    bd = sorted(dims[:nb])
    rest = [x for x in range(rank) if x not in bd]
    nm = random.randrange(0, len(rest) + 1)
    sim = random.sample(rest, nm)
    sizes = d[:]
    for x in bd:
        sizes[x] = 1
    for x in rest:
        sizes[x] = random.choice([d[x], d[x], 1, max(1, d[x] // 2)])
    col = sorted(x for x in rest if sizes[x] == 1 and random.random() < 0.7)
    batch = [random.choice([2, 4, 6]) for _ in range(random.randrange(0, 3))]
    ib = []
    full = batch[:]
    for x in bd:
        p = random.randrange(len(full) + 1)
        full.insert(p, ("B", x))
    ib = [[i for i, y in enumerate(full) if y == ("B", x)][0] for x in bd]
    bs = [d[y[1]] if isinstance(y, tuple) else y for y in full]
    iv = random.randrange(len(bs) + 1)
    idx = bs[:]
    if nm == 1 and random.random() < 0.4:
        iv = len(bs)
    else:
        idx.insert(iv, nm)
    ib = [x if x < iv or len(idx) == len(bs) else x + 1 for x in ib]
    win = [sizes[x] for x in range(rank) if x not in col + bd]
    orank = len(bs) + len(win)
    od = sorted(random.sample(range(orank), len(win)))
    res = [None] * orank
    for p, x in zip(od, win):
        res[p] = x
    bi = iter(bs)
    res = [next(bi) if x is None else x for x in res]
    ix, _, _ = module.argument(idx, "i32")
    module.values.pop()
    L = []
    if od:
        L.append(f"offset_dims = {od}")
    if col:
        L.append(f"collapsed_slice_dims = {col}")
    if bd:
        L.append(f"operand_batching_dims = {bd}")
        L.append(f"start_indices_batching_dims = {ib}")
    if sim:
        L.append(f"start_index_map = {sim}")
    L.append(f"index_vector_dim = {iv}")
    module.emit(
        f'"stablehlo.gather"({n}, {ix}) <{{dimension_numbers = #stablehlo.gather<{", ".join(L)}>, slice_sizes = {array(sizes)}, indices_are_sorted = false}}> : ({module.type(d)}, {module.type(idx,"i32")}) -> {module.type(res)}',
        [(res, "f32")],
    )


def scatter(module):
    random = module.random
    n, d, t = module.value(f32)
    rank = len(d)
    dims = list(range(rank))
    random.shuffle(dims)
    nb = random.choice([0, 0, 1]) if rank > 1 else 0
    bd = sorted(dims[:nb])
    rest = [x for x in range(rank) if x not in bd]
    nm = random.randrange(0, len(rest) + 1)
    sim = random.sample(rest, nm)
    ins = sorted(x for x in rest if random.random() < 0.4)
    wsz = [random.choice([d[x], d[x], max(1, d[x] // 2)]) for x in rest if x not in ins]
    batch = [random.choice([2, 4, 6]) for _ in range(random.randrange(0, 3))]
    full = batch[:]
    for x in bd:
        full.insert(random.randrange(len(full) + 1), ("B", x))
    ib = [[i for i, y in enumerate(full) if y == ("B", x)][0] for x in bd]
    bs = [d[y[1]] if isinstance(y, tuple) else y for y in full]
    iv = random.randrange(len(bs) + 1)
    idx = bs[:]
    if nm == 1 and random.random() < 0.4:
        iv = len(bs)
    else:
        idx.insert(iv, nm)
    ib = [x if x < iv or len(idx) == len(bs) else x + 1 for x in ib]
    urank = len(bs) + len(wsz)
    od = sorted(random.sample(range(urank), len(wsz)))
    up = [None] * urank
    for p, x in zip(od, wsz):
        up[p] = x
    bi = iter(bs)
    up = [next(bi) if x is None else x for x in up]
    ix, _, _ = module.argument(idx, "i32")
    module.values.pop()
    m, _, _ = module.value(lambda x, t: x == up and t == "f32", lambda: up)
    L = []
    if od:
        L.append(f"update_window_dims = {od}")
    if ins:
        L.append(f"inserted_window_dims = {ins}")
    if bd:
        L.append(f"input_batching_dims = {bd}")
        L.append(f"scatter_indices_batching_dims = {ib}")
    if sim:
        L.append(f"scatter_dims_to_operand_dims = {sim}")
    L.append(f"index_vector_dim = {iv}")
    k = random.random()
    dn = f'<{{scatter_dimension_numbers = #stablehlo.scatter<{", ".join(L)}>, indices_are_sorted = false, unique_indices = false}}>'
    if k < 0.7:
        module.emit(
            f'"stablehlo.scatter"({n}, {ix}, {m}) {dn} {reducer(random.choice(["add","maximum","minimum","multiply","subtract"]))} : ({module.type(d)}, {module.type(idx,"i32")}, {module.type(up)}) -> {module.type(d)}',
            [(d, "f32")],
        )
    elif k < 0.85:
        module.emit(
            f'"stablehlo.scatter"({n}, {ix}, {m}) {dn} ({{ ^bb0(%p: tensor<f32>, %q: tensor<f32>): stablehlo.return %q : tensor<f32> }}) : ({module.type(d)}, {module.type(idx,"i32")}, {module.type(up)}) -> {module.type(d)}',
            [(d, "f32")],
        )
    else:
        op = random.choice(["add", "maximum"])
        n2, _, _ = module.value(lambda x, t: x == d and t == "f32", lambda: d)
        m2, _, _ = module.value(lambda x, t: x == up and t == "f32", lambda: up)
        module.emit(
            f""""stablehlo.scatter"({n}, {n2}, {ix}, {m}, {m2}) {dn} ({{ ^bb0(%p: tensor<f32>, %q: tensor<f32>, %pp: tensor<f32>, %qq: tensor<f32>): %z = stablehlo.{op} %p, %pp : tensor<f32>
 %y = stablehlo.{op} %q, %qq : tensor<f32>
 stablehlo.return %z, %y : tensor<f32>, tensor<f32> }}) : ({module.type(d)}, {module.type(d)}, {module.type(idx,"i32")}, {module.type(up)}, {module.type(up)}) -> ({module.type(d)}, {module.type(d)})""",
            [(d, "f32"), (d, "f32")],
        )


def logical_scatter(module):
    random = module.random
    d = [random.choice([2, 4, 8]), random.choice([2, 4])]
    t = random.choice(["i1", "i32"])
    op = random.choice(["and", "or", "xor"]) if t == "i1" else random.choice(["and", "or", "add", "xor"])
    n, _, _ = module.argument(d, t)
    module.values.pop()
    k = random.choice([2, 4])
    ix, _, _ = module.argument([k, 1], "i32")
    module.values.pop()
    u, _, _ = module.argument([k, d[1]], t)
    module.values.pop()
    m = module.name()
    module.body.append(
        f'{m} = "stablehlo.scatter"({n}, {ix}, {u}) <{{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}}> {reducer(op,t)} : ({module.type(d,t)}, {module.type([k,1],"i32")}, {module.type([k,d[1]],t)}) -> {module.type(d,t)}'
    )
    module.emit(f"stablehlo.convert {m} : ({module.type(d,t)}) -> {module.type(d)}", [(d, "f32")])


def custom_call(module):
    random = module.random
    k = random.choice(
        [
            "Qr",
            "QrDecompositionBlock",
            "Eigh",
            "Householder",
            "topk",
            "topk2",
            "ApproxTopK",
            "InvertDiagBlocksLowerTriangular",
            "_SPMDInternalOp_RotateRight",
            "_SPMDInternalOp_MultiRotate",
            "MoveToHost",
            "MoveToDevice",
            "foo",
            "CompactWyHelper",
            "LayoutConstraint",
            "Sharding0",
        ]
    )
    if k in ("Qr", "QrDecompositionBlock"):
        n, d, t = module.value(lambda d, t: t == "f32" and len(d) >= 2)
        e = d[:-2] + [min(d[-1], d[-2]) if random.random() < 0.5 else d[-1]]
        module.emit(
            f"stablehlo.custom_call @{k}({n}) : ({module.type(d)}) -> ({module.type(d)}, {module.type(e)})", [(d, "f32"), (e, "f32")]
        )
    elif k == "Eigh":
        n, d, t = module.value(lambda d, t: t == "f32" and len(d) >= 2 and d[-1] == d[-2], lambda: [2, 4, 4])
        e = d[:-1]
        module.emit(
            f"stablehlo.custom_call @{k}({n}) : ({module.type(d)}) -> ({module.type(d)}, {module.type(e)})", [(d, "f32"), (e, "f32")]
        )
    elif k == "Householder":
        n, d, t = module.value(lambda d, t: t == "f32" and len(d) >= 2)
        e = d[:-2] + [min(d[-1], d[-2])]
        m, _, _ = module.value(lambda x, t: x == e and t == "f32", lambda: e)
        module.emit(
            f"stablehlo.custom_call @ProductOfElementaryHouseholderReflectors({n}, {m}) : ({module.type(d)}, {module.type(e)}) -> {module.type(d)}",
            [(d, "f32")],
        )
    elif k in ("topk", "topk2"):
        n, d, t = module.value(f32)
        e = d[:]
        e[-1] = max(1, d[-1] // 2)
        if k == "topk":
            module.emit(
                f"stablehlo.custom_call @mhlo.topk({n}) : ({module.type(d)}) -> ({module.type(e)}, {module.type(e,'i32')})",
                [(e, "f32"), (e, "i32")],
            )
        else:
            module.emit(
                f"chlo.top_k({n}, k = {e[-1]}) : {module.type(d)} -> ({module.type(e)}, {module.type(e,'i32')})", [(e, "f32"), (e, "i32")]
            )
    elif k == "ApproxTopK":
        n, d, t = module.value(f32)
        e = d[:]
        e[-1] = max(1, d[-1] // 2)
        m, _, _ = module.argument(d, "i32")
        module.values.pop()
        z = module.scalar()
        zi = module.scalar("i32")
        module.emit(
            f"stablehlo.custom_call @{random.choice(['ApproxTopK','PartialReduce'])}({n}, {m}, {z}, {zi}) : ({module.type(d)}, {module.type(d,'i32')}, tensor<f32>, tensor<i32>) -> ({module.type(e)}, {module.type(e,'i32')})",
            [(e, "f32"), (e, "i32")],
        )
    elif k == "Sharding0":
        n, d, t = module.value(f32)
        module.emit(
            f"stablehlo.custom_call @Sharding({n}) {{sdy.sharding = #sdy.sharding_per_value<[{module.sharding(len(d))}]>}} : ({module.type(d)}) -> {module.type(d)}",
            [(d, "f32")],
        )
    else:
        n, d, t = module.value(f32)
        module.emit(f"stablehlo.custom_call @{k}({n}) : ({module.type(d)}) -> {module.type(d)}", [(d, "f32")])


def random_bits(module):
    st, _, _ = module.argument([2], "ui64")
    module.values.pop()
    d = [module.random.choice([2, 4, 8]) for _ in range(module.random.choice([1, 2, 3]))]
    m = module.name()
    module.body.append(
        f"{m}:2 = stablehlo.rng_bit_generator {st}, algorithm = {module.random.choice(['THREE_FRY','DEFAULT'])} : (tensor<2xui64>) -> (tensor<2xui64>, {module.type(d,'ui32')})"
    )
    module.emit(f"stablehlo.convert {m}#1 : ({module.type(d,'ui32')}) -> {module.type(d)}", [(d, "f32")])


def batch_norm(module):
    n, d, t = module.value(f32)
    a = module.random.randrange(len(d))
    c = [d[a]]
    vs = [module.value(lambda x, t: x == c and t == "f32", lambda: c)[0] for _ in range(4)]
    ft = f"{{epsilon = 1.0e-3 : f32, feature_index = {a} : i64}}"
    ct = module.type(c)
    k = module.random.choice([0, 0, 1, 2])
    if k == 0:
        module.emit(
            f'"stablehlo.batch_norm_inference"({n}, {", ".join(vs)}) <{ft}> : ({module.type(d)}, {ct}, {ct}, {ct}, {ct}) -> {module.type(d)}',
            [(d, "f32")],
        )
    elif k == 1:
        module.emit(
            f'"stablehlo.batch_norm_training"({n}, {", ".join(vs[:2])}) <{ft}> : ({module.type(d)}, {ct}, {ct}) -> ({module.type(d)}, {ct}, {ct})',
            [(d, "f32"), (c, "f32"), (c, "f32")],
        )
    else:
        m, _, _ = module.value(lambda x, t: x == d and t == "f32", lambda: d)
        module.emit(
            f'"stablehlo.batch_norm_grad"({n}, {", ".join(vs[:3])}, {m}) <{ft}> : ({module.type(d)}, {ct}, {ct}, {ct}, {module.type(d)}) -> ({module.type(d)}, {ct}, {ct})',
            [(d, "f32"), (c, "f32"), (c, "f32")],
        )


def collective(module):
    n, d, t = module.value(f32)
    random = module.random
    a = random.randrange(len(d))
    k = random.choice(["all_gather", "all_reduce", "reduce_scatter", "all_to_all", "collective_permute", "collective_broadcast", "cross"])
    N = random.choice([2, 4])
    groups = f"dense<[[{', '.join(map(str,range(N)))}]]> : tensor<1x{N}xi64>"
    if k == "all_gather":
        e = d[:]
        N = random.choice([1, 2, 4])
        e[a] *= N
        groups = f"dense<[[{', '.join(map(str,range(N)))}]]> : tensor<1x{N}xi64>"
        module.emit(
            f'"stablehlo.all_gather"({n}) <{{all_gather_dim = {a} : i64, replica_groups = {groups}}}> : ({module.type(d)}) -> {module.type(e)}',
            [(e, "f32")],
        )
    elif k == "all_reduce":
        module.emit(
            f'"stablehlo.all_reduce"({n}) <{{replica_groups = {groups}}}> {reducer("add")} : ({module.type(d)}) -> {module.type(d)}',
            [(d, "f32")],
        )
    elif k == "reduce_scatter":
        ok = [x for x in (1, 2, 4) if d[a] % x == 0]
        N = random.choice(ok)
        e = d[:]
        e[a] //= N
        groups = f"dense<[[{', '.join(map(str,range(N)))}]]> : tensor<1x{N}xi64>"
        module.emit(
            f'"stablehlo.reduce_scatter"({n}) <{{scatter_dimension = {a} : i64, replica_groups = {groups}}}> {reducer("add")} : ({module.type(d)}) -> {module.type(e)}',
            [(e, "f32")],
        )
    elif k == "all_to_all":
        ok = [x for x in (1, 2, 4) if d[a] % x == 0]
        N = random.choice(ok)
        b = random.randrange(len(d))
        e = d[:]
        e[a] //= N
        e[b] *= N
        groups = f"dense<[[{', '.join(map(str,range(N)))}]]> : tensor<1x{N}xi64>"
        module.emit(
            f'"stablehlo.all_to_all"({n}) <{{split_dimension = {a} : i64, concat_dimension = {b} : i64, split_count = {N} : i64, replica_groups = {groups}}}> : ({module.type(d)}) -> {module.type(e)}',
            [(e, "f32")],
        )
    elif k == "collective_permute":
        module.emit(
            f'"stablehlo.collective_permute"({n}) <{{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}}> : ({module.type(d)}) -> {module.type(d)}',
            [(d, "f32")],
        )
    elif k == "collective_broadcast":
        module.emit(
            f'"stablehlo.collective_broadcast"({n}) <{{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}}> : ({module.type(d)}) -> {module.type(d)}',
            [(d, "f32")],
        )
    else:
        module.emit(
            f'"stablehlo.cross-replica-sum"({n}) <{{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}}> : ({module.type(d)}) -> {module.type(d)}',
            [(d, "f32")],
        )


def annotation(module):
    n, d, t = module.value(f32)
    k = module.random.choice(["c", "c", "b", "o", "module", "r", "iota", "const", "full"])
    if k == "c":
        module.emit(f"sdy.sharding_constraint {n} {module.sharding(len(d))} : {module.type(d)}", [(d, "f32")])
    elif k == "r":
        module.emit(
            f"sdy.reshard {n} {module.sharding(len(d)).replace(', ?','').replace('?','')} : {module.type(d)}".replace("{}p1", "{}")
            .replace("{}p2", "{}")
            .replace("{}p0", "{}"),
            [(d, "f32")],
        )
    elif k == "b":
        module.emit(
            f"sdy.propagation_barrier {n} allowed_direction={module.random.choice(['FORWARD','BACKWARD','NONE'])} : {module.type(d)}",
            [(d, "f32")],
        )
    elif k == "o":
        m, e, _ = module.value(f32)
        module.emit(f"stablehlo.optimization_barrier {n}, {m} : {module.type(d)}, {module.type(e)}", [(d, "f32"), (e, "f32")])
    elif k == "module":
        m, e, _ = module.value(lambda x, t: x == d and t == "f32", lambda: d)
        i = module.random.randrange(2)
        module.body.append(f"sdy.sharding_group {n} group_id={i} : {module.type(d)}")
        module.body.append(f"sdy.sharding_group {m} group_id={i} : {module.type(d)}")
    elif k == "iota":
        module.emit(f"stablehlo.iota dim = {module.random.randrange(len(d))} : {module.type(d)}", [(d, "f32")])
    elif k == "const":
        module.emit(f"stablehlo.constant dense<1.0> : {module.type(d)}", [(d, "f32")])
    else:
        z = module.scalar()
        module.emit(f"stablehlo.broadcast_in_dim {z}, dims = [] : (tensor<f32>) -> {module.type(d)}", [(d, "f32")])


def loop(module):
    n, d, t = module.value(f32)
    i = module.scalar("i32")
    w = module.name()
    k = module.count
    m, _, _ = module.value(lambda x, t: x == d and t == "f32", lambda: d)
    op = module.random.choice(
        [
            f"%w = stablehlo.add %b{k}, {m} : {module.type(d)}",
            f"%w = stablehlo.tanh %b{k} : {module.type(d)}",
            f"%w = stablehlo.reverse %b{k}, dims = [0] : {module.type(d)}",
        ]
    )
    module.body.append(f"""{w}:2 = stablehlo.while(%i{k} = {i}, %b{k} = {n}) : tensor<i32>, {module.type(d)}
    cond {{
      %lim = stablehlo.constant dense<3> : tensor<i32>
      %lt = stablehlo.compare LT, %i{k}, %lim : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %lt : tensor<i1>
    }} do {{
      %one = stablehlo.constant dense<1> : tensor<i32>
      %nx = stablehlo.add %i{k}, %one : tensor<i32>
      {op}
      stablehlo.return %nx, %w : tensor<i32>, {module.type(d)}
    }}""")
    module.values.append((w + "#1", d, "f32"))


def conditional(module):
    n, d, t = module.value(f32)
    i, _, _ = module.argument([], "i32")
    module.values.pop()
    m, _, _ = module.value(lambda x, t: x == d and t == "f32", lambda: d)
    a = module.random.choice([f"%w = stablehlo.add {n}, {m} : {module.type(d)}", f"%w = stablehlo.tanh {n} : {module.type(d)}"])
    b = f"%w = stablehlo.negate {m} : {module.type(d)}"
    module.emit(
        f'"stablehlo.case"({i}) ({{ {a}\n stablehlo.return %w : {module.type(d)} }}, {{ {b}\n stablehlo.return %w : {module.type(d)} }}) : (tensor<i32>) -> {module.type(d)}',
        [(d, "f32")],
    )


def manual_computation(module):
    n, d, t = module.value(lambda d, t: t == "f32" and any(x % k == 0 for x in d for _, k in module.axes), lambda: [12, 12])
    c = [(i, a, k) for i, x in enumerate(d) for a, k in module.axes if x % k == 0]
    i, a, k = module.random.choice(c)
    e = d[:]
    e[i] //= k

    def sh():
        rest = [x for x, _ in module.axes if x != a]
        dims = ["{?}" if module.random.random() < 0.5 else "{}" for _ in d]
        if rest and module.random.random() < 0.4:
            j = module.random.randrange(len(d))
            x = rest[0]
            if j == i:
                dims[i] = f'{{"{a}", "{x}"' + module.random.choice([", ?", ""]) + "}"
                return "<@mesh, [" + ", ".join(dims) + "]>"
            dims[j] = f'{{"{x}"' + module.random.choice([", ?", ""]) + "}"
        dims[i] = f'{{"{a}"' + module.random.choice([", ?", ""]) + "}"
        return "<@mesh, [" + ", ".join(dims) + "]>"

    m = module.count
    op = module.random.choice(["tanh", "negate", "sine"])
    two = module.random.random() < 0.4
    if two:
        n2, _, _ = module.value(lambda x, t: x == d and t == "f32", lambda: d)
        module.emit(
            f'sdy.manual_computation({n}, {n2}) in_shardings=[{sh()}, {sh()}] out_shardings=[{sh()}] manual_axes={{"{a}"}} (%m{m}: {module.type(e)}, %k{m}: {module.type(e)}) {{ %w = stablehlo.{op} %m{m} : {module.type(e)}\n %w2 = stablehlo.add %w, %k{m} : {module.type(e)}\n sdy.return %w2 : {module.type(e)} }} : ({module.type(d)}, {module.type(d)}) -> {module.type(d)}',
            [(d, "f32")],
        )
    else:
        module.emit(
            f'sdy.manual_computation({n}) in_shardings=[{sh()}] out_shardings=[{sh()}] manual_axes={{"{a}"}} (%m{m}: {module.type(e)}) {{ %w = stablehlo.{op} %m{m} : {module.type(e)}\n sdy.return %w : {module.type(e)} }} : ({module.type(d)}) -> {module.type(d)}',
            [(d, "f32")],
        )


def call(module):
    n, d, t = module.value(f32)
    m, _, _ = module.value(lambda x, t: x == d and t == "f32", lambda: d)
    f = [x for x in module.functions if x[1] == d]
    if f and module.random.random() < 0.5:
        name = f[0][0]
    else:
        name = f"f{len(module.functions)}"
        module.functions.append((name, d))
        s = lambda: " {sdy.sharding = #sdy.sharding" + module.sharding(len(d)) + "}" if module.random.random() < 0.3 else ""
        p = list(range(len(d)))
        module.random.shuffle(p)
        body = module.random.choice(
            [
                f"%w = stablehlo.add %x, %y : {module.type(d)}",
                f"%u = stablehlo.tanh %x : {module.type(d)}\n %w = stablehlo.multiply %u, %u : {module.type(d)}",
                f"%w = stablehlo.reverse %y, dims = [0] : {module.type(d)}",
            ]
        )
        module.bodies.append(
            f"func.func private @{name}(%x: {module.type(d)}{s()}, %y: {module.type(d)}{s()}) -> ({module.type(d)}{s()}) {{ {body}\n return %w : {module.type(d)} }}"
        )
    module.emit(f"func.call @{name}({n}, {m}) : ({module.type(d)}, {module.type(d)}) -> {module.type(d)}", [(d, "f32")])


def with_rule(module):
    n, d, t = module.value(lambda d, t: t == "f32" and len(d) == 2, lambda: [8, 4])
    k = module.random.choice(
        [
            "<([i, j])->([i, j]) {i=%d, j=%d}>" % tuple(d),
            "<([i, j])->([i, k]) {i=%d, j=%d, k=%d} reduction={j}>" % (d[0], d[1], d[1]),
            "<([i, j])->([i, j]) {i=%d, j=%d} need_replication={j}>" % tuple(d),
            "<([i, j])->([i, j]) {i=%d, j=%d} blocked_propagation={i}>" % tuple(d),
        ]
    )
    if module.random.random() < 0.5:
        module.emit(
            f"stablehlo.custom_call @foo({n}) {{sdy.sharding_rule = #sdy.op_sharding_rule{k}}} : ({module.type(d)}) -> {module.type(d)}",
            [(d, "f32")],
        )
    else:
        module.emit(f"stablehlo.tanh {n} {{sdy.sharding_rule = #sdy.op_sharding_rule{k}}} : {module.type(d)}", [(d, "f32")])


def sharded_operation(module):
    n, d, t = module.value(f32)
    module.emit(
        f"stablehlo.tanh {n} {{sdy.sharding = #sdy.sharding_per_value<[{module.sharding(len(d))}]>}} : {module.type(d)}", [(d, "f32")]
    )


OPERATIONS = [
    unary,
    chlo,
    binary,
    select,
    clamp,
    convert,
    bitcast_convert,
    transpose,
    reshape,
    reshape,
    broadcast,
    reduce,
    dot_general,
    dot_general,
    concatenate,
    rotation,
    pad,
    slice_,
    dynamic_slice,
    dynamic_update_slice,
    sort,
    reverse,
    reduce_window,
    select_and_scatter,
    linear,
    fft,
    convolution,
    convolution,
    gather,
    gather,
    scatter,
    scatter,
    logical_scatter,
    custom_call,
    custom_call,
    random_bits,
    batch_norm,
    collective,
    collective,
    annotation,
    annotation,
    loop,
    conditional,
    manual_computation,
    manual_computation,
    call,
    call,
    with_rule,
    sharded_operation,
    sharded_operation,
]


def module(seed):
    """A random module of up to four operations."""
    made = Module(seed)
    for _ in range(made.random.choice([1, 2, 3, 4])):
        made.random.choice(OPERATIONS)(made)
    if not made.values:
        unary(made)
    returned = made.random.sample(made.values, min(len(made.values), made.random.choice([1, 1, 2])))
    if made.values[-1] not in returned:
        returned.append(made.values[-1])
    results = []
    for _, dims, dtype in returned:
        is_sharded = made.random.random() < 0.4
        sharding = f" {{sdy.sharding = #sdy.sharding{made.sharding(len(dims))}}}" if is_sharded else ""
        results.append(made.type(dims, dtype) + sharding)
    mesh = ", ".join(f'"{name}"={size}' for name, size in made.axes)
    body = "\n".join(made.body)
    names, types = ", ".join(value[0] for value in returned), ", ".join(made.type(value[1], value[2]) for value in returned)
    return "\n".join(
        [
            f"sdy.mesh @mesh = <[{mesh}]>",
            f"func.func public @main({', '.join(made.arguments)}) -> ({', '.join(results)}) {{",
            f"{body}\nreturn {names} : {types}\n}}",
            *made.bodies,
        ]
    )


def row(seed):
    """The module as MLIR prints it, and after propagation."""
    with mlir.make_ir_context():
        parsed = ir.Module.parse(module(seed))
        text = str(parsed)
        passmanager.PassManager.parse("builtin.module(sdy-propagation-pipeline)").run(parsed.operation)
        return {"module": text, "propagated": str(parsed)}


def row_of_process(seed):
    """The row, computed by a process of its own, since jaxlib crashes on some modules; `None` if it does."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        try:
            with os.fdopen(write, "w") as file:
                file.write(json.dumps(row(seed), separators=(",", ":")))
            os._exit(0)
        except Exception as error:
            print(f"module {seed} is left out: {error}")
            os._exit(1)
    os.close(write)
    with os.fdopen(read) as file:
        text = file.read()
    _, status = os.waitpid(child, 0)
    return text if status == 0 else None


rows, seed = [], 0
while len(rows) < ROWS:
    rows += filter(None, [row_of_process(seed)])
    seed += 1
with open("sharding_modules_random.json", "w") as file:
    file.write("[\n" + ",\n".join(rows) + "\n]\n")
