"""Writes sparse_accumulate.json: what a given sparse matrix holds after C<M> += T, with and without replace, and C<M> = T, by
SuiteSparse:GraphBLAS through the package python-graphblas. `statement` is the number of a statement in
tests/sparse_kernels/accumulate.rs."""

import json
from pathlib import Path

import numpy as np
from graphblas import Matrix, binary, select, semiring

random = np.random.default_rng(41)


def matrix(rows, columns):
    """A matrix whose stored values include zeros."""
    at = np.argwhere(random.random((rows, columns)) < 0.45)
    values = random.integers(-2, 5, len(at)).astype(float)
    return Matrix.from_coo(at[:, 0], at[:, 1], values, nrows=rows, ncols=columns)


def after(c, value, accum=None, mask=None, replace=False):
    c = c.dup()
    c(mask=mask, accum=accum, replace=replace) << value
    return c


def entries(matrix):
    i, j, values = matrix.to_coo()
    return [[int(i), int(j), int(value)] for i, j, value in sorted(zip(i, j, values))]


rows = []
for _ in range(6):
    sizes = [2 * int(random.integers(1, 4)) for _ in range(3)]
    m, d, c = (matrix(sizes[0], sizes[2]) for _ in range(3))
    a, b = matrix(sizes[0], sizes[1]), matrix(sizes[1], sizes[2])
    true, upper = m.V, Matrix.from_dense(np.triu(np.ones((sizes[0], sizes[2])))).V
    above_one = select.valuegt(m, 1).new().S
    t = a.mxm(b, semiring.plus_times)
    outputs = [
        after(c, d, binary.plus),
        after(c, t, binary.plus),
        after(c, t, binary.plus, true),
        after(c, t, binary.plus, true, True),
        after(c, t, binary.plus, ~true),
        after(c, t, binary.plus, ~true, True),
        after(c, t, None, true),
        after(c, d, None, ~true),
        after(c, a.mxm(b, semiring.min_plus), binary.min),
        after(c, a.mxm(b, semiring.max_times), binary.max, above_one, True),
        after(c, d, binary.times),
        after(c, d, binary.plus, upper, True),
        after(c, t, binary.plus, true),
    ]
    operands = {name: entries(x) for name, x in zip("mabdc", (m, a, b, d, c))}
    for statement, output in enumerate(outputs):
        rows.append({"statement": statement, "shape": sizes, **operands, "out": entries(output)})

text = ",\n".join(json.dumps(row) for row in rows)
Path(__file__).with_suffix(".json").write_text(f"[\n{text}\n]\n")
