"""Writes small programs as JAX lowers them, `NAME.mlir`, and what JAX computes with them on 8 host devices,
`programs.json`: each result by its size, its sums, and some of its elements.

Run with jax 0.10, in this directory: python programs.py
"""

import json
import os

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"
os.environ["JAX_PLATFORMS"] = "cpu"

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import NamedSharding, PartitionSpec as P

mesh = jax.make_mesh((2, 4), ("data", "model"), axis_types=(jax.sharding.AxisType.Auto,) * 2)
golden = {}


def split(*axes):
    return NamedSharding(mesh, P(*axes))


def numbers(shape, seed):
    """Numbers between -1 and 1, which the test makes as well."""
    at, values = seed * 7919, []
    for _ in range(int(np.prod(shape))):
        at = (at * 1103 + 12347) % 65521
        values.append(np.float32(np.float32(at) / np.float32(32760.5)) - np.float32(1.0))
    return np.array(values, np.float32).reshape(shape)


def argument(spec, seed):
    shape, dtype, scale = spec
    values = numbers(shape, seed)
    if np.issubdtype(dtype, np.floating) or dtype == jnp.bfloat16:
        return jnp.asarray(values * np.float32(scale), dtype)
    return jnp.asarray(np.floor((values + 1) / 2 * scale), dtype)


def add(name, function, shardings, specs, is_alone=False):
    """With `is_alone`, the numbers are those of one device: XLA splits the program wrongly or not at all."""
    is_shape = lambda x: isinstance(x, tuple) and all(isinstance(size, int) for size in x)
    is_spec = lambda x: isinstance(x, tuple) and len(x) == 3 and is_shape(x[0])
    flat, tree = jax.tree.flatten(specs, is_leaf=is_spec)
    arrays = [argument(spec, seed + 1) for seed, spec in enumerate(flat)]
    arguments = jax.tree.unflatten(tree, arrays)
    jitted = jax.jit(function, in_shardings=shardings, keep_unused=True)
    with open(f"{name}.mlir", "w") as file:
        file.write(jitted.lower(*arguments).as_text())
    results = []
    run = jax.jit(function) if is_alone else jitted
    for result in jax.tree.leaves(run(*arguments)):
        values = np.asarray(result).astype(np.float64)
        at = [int(i) for i in np.linspace(0, values.size - 1, min(values.size, 12))]
        results.append({
            "dtype": str(result.dtype),
            "dims": list(values.shape),
            "sum": float(values.sum()),
            "sum_of_sizes": float(np.abs(values).sum()),
            "elements": [[i, float(values.ravel()[i])] for i in at],
        })
    golden[name] = {"scales": [float(scale) for _, _, scale in flat], "results": results}


F = lambda *shape, scale=0.5: (shape, jnp.float32, scale)


def norm(x, g, b):
    mean = x.mean(-1, keepdims=True)
    return (x - mean) * lax.rsqrt(((x - mean) ** 2).mean(-1, keepdims=True) + 1e-5) * g + b


def block(p, x):
    h = norm(x, p["g1"], p["b1"])
    q, k, v = [jnp.einsum("bsd,dhk->bshk", h, p[w]) for w in ("wq", "wk", "wv")]
    s = jnp.einsum("bshk,bthk->bhst", q, k) / 2
    s = jnp.where(jnp.tril(jnp.ones((x.shape[1],) * 2, bool)), s, -1e9)
    x = x + jnp.einsum("bhst,bthk,hkd->bsd", jax.nn.softmax(s), v, p["wo"])
    h = norm(x, p["g2"], p["b2"])
    return x + jax.nn.gelu(h @ p["w1"] + p["c1"]) @ p["w2"] + p["c2"]


sizes = {
    "g1": F(16), "b1": F(16), "g2": F(16), "b2": F(16), "c1": F(32), "c2": F(16),
    "wq": F(16, 4, 4), "wk": F(16, 4, 4), "wv": F(16, 4, 4), "wo": F(4, 4, 16),
    "w1": F(16, 32), "w2": F(32, 16),
}
splits = {name: split() for name in sizes} | {"wq": split(None, "model"), "w1": split(None, "model")}
x = F(4, 8, 16, scale=1.0)
add("block", block, (splits, split("data")), (sizes, x))
loss = lambda p, x: jnp.sum(block(p, x) ** 2)
add("block_grad", jax.value_and_grad(loss), (splits, split("data")), (sizes, x))


def mlp(w, x, t):
    return jnp.mean((jax.nn.relu(x @ w["w1"] + w["b1"]) @ w["w2"] - t) ** 2)


add("mlp_grad", jax.value_and_grad(mlp),
    ({"w1": split(None, "model"), "b1": split("model"), "w2": split("model")}, split("data"), split("data")),
    ({"w1": F(16, 32), "b1": F(32), "w2": F(32, 16)}, F(8, 16), F(8, 16)))


def layer(h, w):
    return h + jnp.tanh(h @ w[0]) @ w[1], None


def step(w, m, v, x, t):
    def loss(w):
        h, _ = lax.scan(layer, x, w)
        return jnp.mean((h - t) ** 2)

    value, g = jax.value_and_grad(loss)(w)
    m = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, m, g)
    v = jax.tree.map(lambda v, g: 0.99 * v + 0.01 * g * g, v, g)
    w = jax.tree.map(lambda w, m, v: w - 1e-2 * m / (jnp.sqrt(jnp.abs(v)) + 0.1), w, m, v)
    return w, m, v, value


# Two layers in a loop, Adam, weights over one axis and its moments over both.
layers = (F(2, 16, 32), F(2, 32, 16))
over = (split(None, None, "model"), split(None, "model", None))
zero = (split(None, "data", "model"), split(None, "model", "data"))
add("train_scan", step, (over, zero, zero, split("data"), split("data")),
    (layers, layers, layers, F(8, 16), F(8, 16)))


def lm(p, tokens):
    h = p["e"][tokens]
    q, k = jnp.einsum("bsd,dhk->bshk", h, p["q"]), jnp.einsum("bsd,dhk->bshk", h, p["k"])
    s = jnp.einsum("bshk,bthk->bhst", q, k)
    h = h + jnp.einsum("bhst,bthk,hkd->bsd", jax.nn.softmax(s), q, p["o"])
    logits = jax.nn.log_softmax(h @ p["e"].T)
    return -jnp.mean(jnp.take_along_axis(logits[:, :-1], tokens[:, 1:, None], -1))


add("lm_grad", jax.value_and_grad(lm),
    ({"e": split("model"), "q": split(None, "model"), "k": split(None, "model"), "o": split("model")}, split("data")),
    ({"e": F(32, 16), "q": F(16, 4, 4), "k": F(16, 4, 4), "o": F(4, 4, 16)}, ((4, 8), jnp.int32, 32)))


def dropout(key, x):
    return jnp.where(jax.random.bernoulli(jax.random.wrap_key_data(key), 0.75, x.shape), x / 0.75, 0)


add("dropout", dropout, (split(), split("data", "model")), (((2,), jnp.uint32, 60000), F(8, 16)))


def softmax_bf16(x, w):
    # The rows are sharded: devices exchange their maxima.
    y = jax.nn.softmax((x @ w).astype(jnp.float32), axis=0)
    return y.astype(jnp.bfloat16), jnp.max(x, axis=0), jnp.min(x), jnp.prod(x[:, :2]), jnp.any(x > 0.45, axis=0)


B = lambda *shape: (shape, jnp.bfloat16, 0.5)
add("rows", softmax_bf16, (split(("data", "model")), split()), (B(16, 8), B(8, 4)))


def control(x, n):
    y = lax.while_loop(lambda c: c[0] < n, lambda c: (c[0] + 1, jnp.tanh(c[1] @ c[1].T @ c[1])), (0, x))[1]
    y = lax.cond(n > 2, lambda a: a * 2, lambda a: jnp.sin(a), y)
    y = lax.switch(n, [lambda a: a + 1, lambda a: -a, lambda a: jnp.flip(a, 0)], y)
    y = lax.fori_loop(0, 4, lambda k, a: lax.dynamic_update_slice(a, a[:1] * 2, (k, 0)), y)
    return y, jnp.pad(y, ((1, 2), (0, 1)), constant_values=3.0), y[1::2, 2:7], jnp.concatenate([y, x], 1)


add("control", control, (split("data", "model"), split()), (F(8, 8), ((), jnp.int32, 9)))

def experts(p, x):
    gates, chosen = lax.top_k(jax.nn.softmax(x @ p["g"]), 2)
    share = jnp.sum(jax.nn.one_hot(chosen, 4) * gates[..., None], 1)
    place = jnp.cumsum(share, axis=0)
    h = jax.nn.silu(jnp.einsum("td,edf->etf", x, p["w1"]))
    y = jnp.einsum("etf,efd,te->td", h, p["w2"], jnp.where(place < 5, share, 0))
    pooled = lax.reduce_window(y, -jnp.inf, lax.max, (2, 3), (2, 1), "SAME")
    return jnp.sum(y ** 2), pooled, chosen


add("experts", experts,
    ({"g": split(), "w1": split("model"), "w2": split("model")}, split("data")),
    ({"g": F(8, 4), "w1": F(4, 8, 16), "w2": F(4, 16, 8)}, F(16, 8)))
add("experts_grad", jax.grad(lambda p, x: experts(p, x)[0]),
    ({"g": split(), "w1": split("model"), "w2": split("model")}, split("data")),
    ({"g": F(8, 4), "w1": F(4, 8, 16), "w2": F(4, 16, 8)}, F(16, 8)))

def convolutions(p, x):
    of = ("NHWC", "HWIO", "NHWC")
    h = jax.nn.relu(lax.conv_general_dilated(x, p["a"], (1, 1), "SAME", dimension_numbers=of))
    h = jax.nn.relu(lax.conv_general_dilated(h, p["b"], (2, 2), "SAME", dimension_numbers=of))
    h = lax.conv_general_dilated(h, p["d"], (1, 1), "SAME", dimension_numbers=of, feature_group_count=8)
    h = lax.conv_general_dilated(h, p["c"], (1, 1), "VALID", rhs_dilation=(2, 2), dimension_numbers=of)
    return jnp.sum(jnp.mean(h, (1, 2)) ** 2)


add("convolutions", jax.value_and_grad(convolutions),
    ({"a": split(), "b": split(None, None, None, "model"), "c": split(None, None, "model"), "d": split()}, split("data")),
    ({"a": F(3, 3, 2, 4), "b": F(3, 3, 4, 8), "c": F(2, 2, 8, 4), "d": F(3, 3, 1, 8)}, F(4, 8, 8, 2)))



def manual(x, w):
    """Every collective, over one axis and over both, in one manual computation."""
    def body(x, w):
        whole = lax.all_gather(x, "model", axis=1, tiled=True)
        y = lax.psum_scatter(whole @ w, "model", scatter_dimension=1, tiled=True)
        y = lax.ppermute(y, "model", [(0, 1), (1, 2), (2, 3)])
        z = lax.all_to_all(y, "data", split_axis=1, concat_axis=0, tiled=True)
        mean = lax.pmean(z, ("data", "model"))
        return z + mean + lax.axis_index("model") * 0.5, lax.pmax(x, "data"), lax.psum(jnp.sum(w), "model")

    specs = (P("data", "model"), P(None, "model"))
    return jax.shard_map(body, mesh=mesh, in_specs=specs, out_specs=(P(None, ("model", "data")), P(None, "model"), P()),
                         check_vma=False)(x, w)


add("manual", manual, (split("data", "model"), split(None, "model")), (F(8, 16), F(16, 64)))


def ring(p, x):
    """Products whose factors go around a ring of the data axis, while the compiler splits the others over the model axis;
    and the gradient of that."""
    def body(w, x):
        total, part = x @ w, x
        for _ in range(1):
            part = lax.ppermute(part, "data", [(0, 1), (1, 0)])
            total = total + jnp.tanh(part @ w)
        return total

    h = jax.shard_map(body, mesh=mesh, in_specs=(P(), P("data")), out_specs=P("data"), axis_names={"data"})(p["w"], x)
    return jnp.mean((h @ p["v"]) ** 2)


add("manual_grad", jax.value_and_grad(ring),
    ({"w": split(None, "model"), "v": split("model")}, split("data")), ({"w": F(16, 32), "v": F(32, 8)}, F(8, 16)))



def sorts(x, i):
    """Sorts by one and by several keys, and what is made of them; sums up to each element, which XLA splits wrongly."""
    return (jnp.sort(x, axis=0), jnp.argsort(x, axis=1), jnp.lexsort((i, i % 3)), jnp.median(x, axis=0), jnp.argmax(x, 0), jnp.argmin(x, 1),
            jnp.take_along_axis(x, jnp.argsort(x, 1), 1), jnp.searchsorted(jnp.sort(x[0]), x[1]), lax.cummax(x, 0), lax.cumlogsumexp(x, 1),
            jnp.sort(x, axis=1, descending=True), jnp.unique(i, size=6), lax.top_k(x, 3))


I = lambda most, *shape: (shape, jnp.int32, most)
add("sorts", sorts, (split("data", "model"), split()), (F(8, 16, scale=2.0), I(10, 12)), is_alone=True)


def scatters(t, i, x):
    """Rows of a table that is split by rows: taken, added to, replaced, multiplied, compared."""
    return (t[i], t.at[i].add(x), t.at[i].set(1.0), t.at[i].max(x), t.at[i].multiply(2.0), t.at[i, i % 16].multiply(3.0),
            jax.ops.segment_sum(x, i, 32), jnp.bincount(i, length=32), t.at[i[0]].set(-1.0), lax.dynamic_update_slice(t, x, (i[1], 0)))


for name, how in ("rows", split("model")), ("columns", split(None, "model")), ("blocks", split("data", "model")):
    add(f"scatters_{name}", scatters, (how, split("data"), split("data")), (F(32, 16), I(32, 16), F(16, 16)))


def uneven(x, w):
    """Sizes that the axes do not divide."""
    a, d = x[1:], (x @ w)[:, :7]
    e = lax.with_sharding_constraint(d, split(None, "model"))
    h = lax.with_sharding_constraint(a * 2, split("data", "model"))
    g = lax.with_sharding_constraint(jnp.ones((5,)) * x[0, 0], split("data"))
    return (jnp.concatenate([a, x], 0).sum(0), jnp.pad(x, ((0, 3), (1, 0))).mean(), e.sum(), jnp.max(e, 0), jnp.prod(e, 1), jnp.tanh(g), h,
            jnp.sum(h, 0), h @ w, jnp.argmax(h, 0), jnp.sort(h, 0), x[8:].sum(0))


add("uneven", uneven, (split("data", "model"), split("model")), (F(8, 16), F(16, 12)), is_alone=True)


def pooling(w, x):
    """Maxima and means of windows, with their gradient, and a convolution whose groups are split."""
    of = ("NHWC", "HWIO", "NHWC")
    h = lax.conv_general_dilated(x, w["a"], (1, 1), "SAME", dimension_numbers=of)
    h = lax.reduce_window(jnp.tanh(h), -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
    h = lax.conv_general_dilated(h, w["b"], (1, 1), "SAME", dimension_numbers=of, feature_group_count=8)
    return jnp.sum(lax.reduce_window(h, 0.0, lax.add, (1, 2, 2, 1), (1, 2, 2, 1), "SAME") ** 2)


add("pooling", jax.value_and_grad(pooling),
    ({"a": split(None, None, None, "model"), "b": split(None, None, None, "model")}, split("data")),
    ({"a": F(3, 3, 2, 8), "b": F(3, 3, 1, 8)}, F(4, 8, 8, 2)))


def functions(x, y, i):
    """Functions of each element that StableHLO and CHLO have."""
    p = jnp.abs(x) + 0.1
    return (jnp.arcsin(x / 4), jnp.arccos(x / 4), jnp.arctan(x), jnp.sinh(x), jnp.cosh(x), jnp.arcsinh(x), jnp.arccosh(p + 1), jnp.arctanh(x / 4),
            jax.scipy.special.erf(x), jax.scipy.special.erfc(x), jax.scipy.special.erfinv(x / 4), jax.scipy.special.gammaln(p),
            jnp.nextafter(x, y), lax.reduce_precision(x, 5, 10), lax.clz(i), lax.population_count(i), jnp.floor_divide(x, y), jnp.copysign(x, y))


add("functions", functions, (split("data", "model"),) * 3, (F(8, 16), F(8, 16), I(20, 8, 16)))



def fourier(x, y):
    """Complex numbers and discrete Fourier transforms, of sizes that are no powers of two as well."""
    z = x + 1j * y
    i = lax.convert_element_type(x * 8, jnp.int32)
    return (jnp.abs(jnp.fft.rfft(x)), jnp.fft.irfft(jnp.fft.rfft(x) * 2), jnp.real(jnp.fft.fft2(x)), jnp.imag(jnp.fft.ifft(z[:, :9])),
            jnp.fft.irfft(z[:, :6], 10), jnp.abs(z), jnp.angle(z), jnp.real(jnp.exp(z) / (z * jnp.conj(z) + 1)), jnp.imag(z @ z.T),
            jnp.real(jnp.sum(z, 0)), jnp.imag(jnp.sqrt(z)), jnp.where(z == jnp.conj(z), 1.0, 0.0), i @ i.T)


for name, how in ("fourier", split("data")), ("fourier_split", split("data", "model")):
    add(name, fourier, (how, how), (F(8, 12, scale=2.0), F(8, 12)), is_alone=True)


def random(key, x):
    """Random bits of each generator, whose results and next states do not depend on how they are split."""
    states = jnp.stack([key, key ^ 5])
    made = []
    for algorithm in lax.RandomAlgorithm.RNG_DEFAULT, lax.RandomAlgorithm.RNG_PHILOX, lax.RandomAlgorithm.RNG_THREE_FRY:
        for shape, dtype in ((4, 6), jnp.uint32), ((5, 7, 3), jnp.uint32), ((3, 3), jnp.uint8), ((), jnp.uint16):
            state, bits = lax.rng_bit_generator(states[len(made) % 2], shape, dtype=dtype, algorithm=algorithm)
            made.append((state, bits.astype(jnp.uint32)))
    keys = jax.random.split(jax.random.wrap_key_data(key, impl="rbg"), 2)
    return made, jnp.where(jax.random.bernoulli(keys[0], 0.75, x.shape), x / 0.75, 0), jax.random.normal(keys[1], (8, 6)) * x[:, :6]


add("random", random, (split(), split("data", "model")), (((4,), jnp.uint32, 60000), F(8, 16)), is_alone=True)


def linear(a, b):
    """What JAX leaves to LAPACK: batches of matrices, split by batch and by column."""
    square = a @ jnp.swapaxes(a, -1, -2) + 3 * jnp.eye(5)
    lower = jnp.linalg.cholesky(square)
    solved = lax.linalg.triangular_solve(lower, b, left_side=True, lower=True)
    right = lax.linalg.triangular_solve(lower, jnp.swapaxes(b, -1, -2), left_side=False, lower=True, transpose_a=True)
    q, r = jnp.linalg.qr(a[:, :, :4])
    values, vectors = jnp.linalg.eigh(square)
    return (lower, jnp.isnan(jnp.linalg.cholesky(-square)), solved, right, jnp.linalg.solve(a + 2 * jnp.eye(5), b), jnp.linalg.inv(square), jnp.linalg.det(a),
            jnp.abs(r), q @ r, values, jnp.einsum("bij,bj,bkj->bik", vectors, jnp.sqrt(values), vectors))


for name, how in ("linear", (split("data"), split("data"))), ("linear_split", (split(), split("data", None, "model"))):
    add(name, linear, how, (F(4, 5, 5, scale=1.0), F(4, 5, 4)), is_alone=True)
add("linear_grad", jax.grad(lambda a, b: sum(jnp.sum(jnp.sin(linear(a, b)[at])) for at in (0, 2, 3)), argnums=(0, 1)),
    (split("data"), split("data")), (F(4, 5, 5, scale=1.0), F(4, 5, 4)), is_alone=True)


def special(x):
    """Functions that CHLO has."""
    special, p = jax.scipy.special, jnp.abs(x) + 0.25
    return special.digamma(x), special.polygamma(2, p), special.zeta(p + 1.5, p), special.i1e(x * 20), special.gammainc(p, p + 1)


add("special", special, (split("data", "model"),), (F(8, 16, scale=3.0),))


def narrow(x, w):
    """Numbers of 8 bits."""
    y, v = x.astype(jnp.float8_e4m3fn), w.astype(jnp.float8_e5m2)
    z = lax.dot_general(y, v.astype(jnp.float8_e4m3fn), (((1,), (0,)), ((), ())), preferred_element_type=jnp.float32)
    return z, jnp.where(y > jnp.float8_e4m3fn(0.25), y, jnp.float8_e4m3fn(-1.5)).T.astype(jnp.float32), v[1:5, ::2].astype(jnp.float32)


add("narrow", narrow, (split("data", "model"), split("model")), (F(8, 16, scale=400.0), F(16, 8, scale=4.0)), is_alone=True)

with open("programs.json", "w") as file:
    json.dump(golden, file, separators=(",", ":"))
    file.write("\n")
