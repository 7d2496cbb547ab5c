"""The masked products of `given.rs` by GraphBLAS, on one thread: seconds of the fastest of five runs. Needs python-graphblas."""

import time

import graphblas as gb
import numpy as np
from graphblas import Matrix, semiring

gb.ss.config["nthreads"] = 1
random = np.random.default_rng(4)


def uniform(size, degree):
    i, j = random.integers(0, size, (2, size * degree))
    return Matrix.from_coo(i, j, 1 + random.random(len(i)), nrows=size, ncols=size, dup_op=gb.binary.plus)


def power_law(scale, degree):
    """As in `given.rs`: R-MAT."""
    count = (1 << scale) * degree
    i, j = np.zeros((2, count), np.int64)
    for _ in range(scale):
        part = random.random(count)
        down, right = part >= 0.76, ((part >= 0.57) & (part < 0.76)) | (part >= 0.95)
        i, j = 2 * i + down, 2 * j + right
    i, j = np.maximum(i, j)[i != j], np.minimum(i, j)[i != j]
    return Matrix.from_coo(i, j, 1.0, nrows=1 << scale, ncols=1 << scale)


def row(name, m, a, b, mask):
    best = np.inf
    for _ in range(5):
        start = time.perf_counter()
        a.mxm(b, semiring.plus_times).new(mask=mask(m))
        best = min(best, time.perf_counter() - start)
    print(f"| masked {name} | {best:.6f} |")


m, a, b = (uniform(1 << 17, 16) for _ in range(3))
low = power_law(17, 16)
for matrix in (m, a, b, low):
    matrix.wait()
print("entries of the power law:", low.nvals)
row("uniform: structure", m, a, b, lambda m: m.S)
row("uniform: values", m, a, b, lambda m: m.V)
row("power law: structure", low, low, low, lambda m: m.S)
row("power law: values", low, low, low, lambda m: m.V)
