"""Writes sparse_statements.json: semirings, witnesses and functions of several statements, by numpy over whole arrays."""

import json
from pathlib import Path

import numpy as np

random = np.random.default_rng(23)
CSR = "{(i, j) -> (i : dense, j : compressed)}"
CSC = "{(i, j) -> (j : dense, i : compressed)}"
rows = []


def sparse(shape, kind):
    """A mask of what is stored, and values there, among them zeros."""
    mask = random.random(shape) < 0.4
    values = random.integers(-4, 5, shape) if kind != "bool" else random.integers(0, 2, shape)
    return mask, np.where(mask, values, 0)


def operand(name, element, array, dims, mask=None, encoding=None):
    entries = np.argwhere(mask) if mask is not None else np.argwhere(np.ones(array.shape))
    coo = [[*map(int, at), array[tuple(at)].item()] for at in entries]
    return {"name": name, "element": element, "shape": list(array.shape), "dims": dims, "enc": encoding, "coo": coo}


def row(head, operands, outputs):
    """`outputs` are arrays; what is not stored in a sparse one is NaN."""
    def value(x):
        return None if np.isnan(x) else float(x)

    outputs = [np.asarray(output, dtype=float) for output in outputs]
    flat = [{"shape": list(output.shape), "values": [value(x) for x in output.reshape(-1)]} for output in outputs]
    rows.append({"text": head, "operands": operands, "outputs": flat})


def signature(operands):
    types = [f"{o['name']}: {o['enc'] or 'Dense'}<{o['element']}>[{o['dims']}]" for o in operands]
    return f"fn f({', '.join(types)})"


MULTIPLY = {
    "plus": np.add,
    "minus": np.subtract,
    "times": np.multiply,
    "min": np.minimum,
    "max": np.maximum,
    "first": lambda a, b: a + 0 * b,
    "second": lambda a, b: b + 0 * a,
    "pair": lambda a, b: np.ones(np.broadcast(a, b).shape),
    "land": np.logical_and,
    "lor": np.logical_or,
    "lxor": np.logical_xor,
    "eq": np.equal,
    "ne": np.not_equal,
    "lt": np.less,
    "le": np.less_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
}
REDUCE = {
    "plus": np.nansum,
    "times": np.nanprod,
    "min": np.nanmin,
    "max": np.nanmax,
    "any": np.nanmax,
    "lor": np.nanmax,
    "land": np.nanmin,
}


def reduced(monoid, products, axis):
    """Over what is not NaN; NaN where nothing is left."""
    some = (~np.isnan(products)).any(axis)
    identity = {"min": np.inf, "land": np.inf, "max": -np.inf, "any": -np.inf, "lor": -np.inf}.get(monoid)
    filled = products if identity is None else np.where(np.isnan(products), identity, products)
    return np.where(some, REDUCE[monoid](filled, axis), np.nan)


for monoid in REDUCE:
    for name, multiply in MULTIPLY.items():
        kind = "bool" if monoid in ("lor", "land") else "i64"
        (a_mask, a), (b_mask, b) = sparse((4, 5), kind), sparse((5, 3), kind)
        encodings = [CSR, CSC] if random.random() < 0.5 else [CSC, CSR]
        operands = [
            operand("a", kind, a, "i, k", a_mask, encodings[0]),
            operand("b", kind, b, "k, j", b_mask, encodings[1]),
        ]
        both = a_mask[:, :, None] & b_mask[None, :, :]
        products = np.where(both, multiply(a[:, :, None], b[None, :, :]), np.nan)
        if kind == "bool":
            products = np.where(both, products != 0, np.nan)
        text = f"{signature(operands)} -> c: {CSR}<{kind}>[i, j] {{ c[i, j] = {monoid}.{name}(a[i, k], b[k, j]) }}"
        row(text, operands, [reduced(monoid, products, 1)])

for _ in range(8):
    mask, a = sparse((5, 6), "f32")
    operands = [operand("a", "f32", a, "i, j", mask, CSR)]
    stored = np.where(mask, a, np.nan)
    some = mask.any(1)
    for name, by in (("argmin", np.where(mask, a, np.inf).argmin), ("argmax", np.where(mask, a, -np.inf).argmax)):
        at = np.where(some, by(1), np.nan)
        text = f"{signature(operands)} -> at: {{(i) -> (i : compressed)}}<i64>[i] {{ at[i] = {name}(a[i, j], j) }}"
        row(text, operands, [at])

for _ in range(8):
    (mask, a), x, w = sparse((4, 5), "i64"), random.integers(-4, 5, (5, 3)), random.integers(-4, 5, (3, 2))
    operands = [
        operand("a", "i64", a, "i, j", mask, CSR),
        operand("x", "i64", x, "j, k"),
        operand("w", "i64", w, "k, l"),
    ]
    text = (
        f"{signature(operands)} -> (h: Dense<i64>[i, l], s: i64) {{ let t[i, k] = a[i, j] * x[j, k]; "
        "let u[i, l] = t[i, k] * w[k, l]; h[i, l] = max(u[i, l], 0); s = h[i, l] * u[i, l] }"
    )
    u = a @ x @ w
    row(text, operands, [np.maximum(u, 0), (np.maximum(u, 0) * u).sum()])

for _ in range(8):
    (mask, s), q, k, v = (
        sparse((4, 5), "i64"),
        random.integers(-3, 4, (4, 2)),
        random.integers(-3, 4, (5, 2)),
        random.integers(-3, 4, (5, 3)),
    )
    operands = [
        operand("s", "f64", s, "i, j", mask, CSR),
        operand("q", "f64", q, "i, k"),
        operand("key", "f64", k, "j, k"),
        operand("v", "f64", v, "j, l"),
    ]
    text = (
        f"{signature(operands)} -> o: Dense<f64>[i, l] {{ let e: {CSR}<f64>[i, j] = stored(s[i, j]) * q[i, k] * key[j, k]; "
        f"let most[i] max= e[i, j]; let p: {CSR}<f64>[i, j] = stored(e[i, j]) * exp2(e[i, j] - most[i]); "
        "let z[i] = p[i, j]; let t[i, l] = p[i, j] * v[j, l]; o[i, l] = select(z[i], t[i, l] / z[i], 0) }"
    )
    # Powers of two are exact.
    e = np.where(mask, q @ k.T, -np.inf)
    most = np.where(mask.any(1), e.max(1), 0)
    p = np.where(mask, 2.0 ** (e - most[:, None]), 0)
    z = p.sum(1, keepdims=True)
    row(text, operands, [np.where(z == 0, 0, (p @ v) / np.where(z == 0, 1, z))])


def gathered(operands, output, statement, value):
    row(f"{signature(operands)} -> {output} {{ {statement} }}", operands, [value])


for kind in ("u32", "i32", "i64", "u8"):
    (mask, a), x, w = sparse((4, 5), "i64"), random.integers(-4, 5, 7), random.integers(-4, 5, (7, 3))
    p, q = random.integers(0, 7, 5), random.integers(0, 5, 4)
    (a_, x_, w_) = (operand("a", "i64", a, "i, j", mask, CSR), operand("x", "i64", x, "n"), operand("w", "i64", w, "n, k"))
    p_, q_ = operand("p", kind, p, "j"), operand("q", kind, q, "i")
    gathered([a_, x_, p_], "y: Dense<i64>[i]", "y[i] += a[i, j] * x[p[j]]", a @ x[p])
    gathered([a_, w_, p_], "y: Dense<i64>[i, k]", "y[i, k] = a[i, j] * w[p[j], k]", a @ w[p])
    gathered([x_, p_, q_], "y: Dense<i64>[i]", "y[i] = x[p[q[i]]]", x[p[q]])
    v_mask, v = sparse((7,), "i64")
    v_ = operand("v", "i64", v, "n", v_mask, "{(i) -> (i : compressed)}")
    gathered([a_, v_, p_], "y: Dense<i64>[i]", "y[i] = a[i, j] * v[p[j]]", a @ v[p])
    page, probabilities = random.integers(0, 7, (4, 5)), random.integers(-4, 5, (4, 5))
    page_, h_ = operand("page", kind, page, "b, t"), operand("h", "i64", probabilities, "b, t")
    statement = "o[b, k] = h[b, t] * w[page[b, t], k]"
    gathered([h_, w_, page_], "o: Dense<i64>[b, k]", statement, np.einsum("bt,btk->bk", probabilities, w[page]))
    # Several rows and columns go to one place, where they are added.
    to = np.zeros(6, int)
    rows_to, columns_to = random.integers(0, 6, 4), random.integers(0, 3, 5)
    r_, c_ = operand("r", kind, rows_to, "i"), operand("c", kind, columns_to, "j")
    np.add.at(to, rows_to, a.sum(1))
    gathered([a_, r_], "y: Dense<i64>[k]", "y[r[i]] += a[i, j]; size(k, 6)", to)
    to, stored = np.zeros((6, 3), int), np.zeros((6, 3), bool)
    at = (rows_to[:, None] + 0 * columns_to, columns_to + 0 * rows_to[:, None])
    np.add.at(to, at, a)
    np.logical_or.at(stored, at, mask)
    z_ = operand("z", "i64", random.integers(-4, 5, 3), "l")
    output = f"y: {CSR}<i64>[k, l]"
    gathered([a_, r_, c_, z_], output, "y[r[i], c[j]] = a[i, j]; size(k, 6)", np.where(stored, to, np.nan))

# Values that `cast` converts: halves become whole numbers, toward zero.
for encoding in (CSR, CSC):
    mask, a = sparse((4, 5), "f64")
    a, x, w = a / 2, random.integers(-4, 5, 5), random.integers(-9, 10, 5) / 4
    for element, values, vector, output in (("f64", a, x, "i64"), ("i64", 2 * a, w, "f64"), ("f64", a, w, "f64")):
        values = values.astype(int) if element == "i64" else values
        a_ = operand("a", element, values, "i, j", mask, encoding)
        x_ = operand("x", "i64" if output == "i64" else "f64", vector, "j")
        cast = np.trunc(values) if output == "i64" else values
        gathered([a_, x_], f"y: Dense<{output}>[i]", "y[i] = cast(a[i, j]) * x[j]", cast @ vector)
        whole = np.where(mask, np.trunc(values), np.nan)
        gathered([a_], f"c: {CSR}<i64>[i, j]", "c[i, j] = cast(a[i, j])", whole)
    small = operand("a", "u8", np.where(mask, 250 + random.integers(0, 6, a.shape), 0), "i, j", mask, encoding)
    above = np.zeros(a.shape)
    for i, j, value in small["coo"]:
        above[i, j] = value
    gathered([small], f"c: {CSR}<i64>[j, i]", "c[j, i] = cast(a[i, j] * a[i, j])", np.where(mask, above**2, np.nan).T)

# One operand under several names.
for encoding in (CSR, CSC):
    (mask, a), (square, s) = sparse((4, 5), "i64"), sparse((5, 5), "i64")
    a_, s_ = operand("a", "i64", a, "i, k", mask, encoding), operand("s", "i64", s, "i, j", square, encoding)
    stored = (mask.astype(int) @ mask.T) > 0
    gathered([a_], f"c: {CSR}<i64>[i, j]", "c[i, j] = a[i, k] * a[j, k]", np.where(stored, a @ a.T, np.nan))
    gathered([a_], "c: Dense<i64>[i, j]", "c[i, j] += a[i, k] * a[j, k]", a @ a.T)
    either = square | square.T
    gathered([s_], f"c: {CSR}<i64>[i, j]", "c[i, j] = s[i, j] + s[j, i]", np.where(either, s + s.T, np.nan))
    gathered([s_], "t: i64", "t = s[i, j] * s[i, k] * s[k, j]", (s * (s @ s)).sum())
    within = square & ((square.astype(int) @ square) > 0)
    gathered([s_], f"c: {CSR}<i64>[i, j]", "c[i, j] = s[i, j] * s[i, k] * s[k, j]", np.where(within, s * (s @ s), np.nan))
    gathered([s_], "d: Dense<i64>[i]", "d[i] = s[i, i] * s[i, j]", np.diag(s) * s.sum(1))

# Masks, and what is outside of them.
for encodings in ((CSR, CSR, CSR), (CSR, CSC, CSR), (CSC, CSR, CSR), (CSR, CSR, CSC)):
    (m_mask, m), (a_mask, a), (b_mask, b) = sparse((6, 7), "i64"), sparse((6, 8), "i64"), sparse((8, 7), "i64")
    operands = [
        operand("m", "i64", m, "i, j", m_mask, encodings[0]),
        operand("a", "i64", a, "i, k", a_mask, encodings[1]),
        operand("b", "i64", b, "k, j", b_mask, encodings[2]),
    ]
    both = (a_mask.astype(int) @ b_mask) > 0
    for statement, stored, value in (
        ("c[i, j] = m[i, j] * a[i, k] * b[k, j]", both & m_mask, m * (a @ b)),
        ("c[i, j] = a[i, k] * b[k, j] if m[i, j] != 0", both & (m != 0), a @ b),
        ("c[i, j] = a[i, k] * b[k, j] if m[i, j] == 0", both & (m == 0), a @ b),
        ("c[i, j] = a[i, k] * b[k, j] if stored(m[i, j]) != 0", both & m_mask, a @ b),
        ("c[i, j] = a[i, k] * b[k, j] if stored(m[i, j]) == 0", both & ~m_mask, a @ b),
    ):
        gathered(operands, f"c: {CSR}<i64>[i, j]", statement, np.where(stored, value, np.nan))
    gathered(operands, "t: i64", "t = m[i, j] * a[i, k] * b[k, j]", (m * (a @ b)).sum())

text = ",\n".join(json.dumps(row) for row in rows)
Path(__file__).with_suffix(".json").write_text(f"[\n{text}\n]\n")
