"""The masked products of `given.rs` by GraphBLAS, on one thread: seconds of the fastest of five runs. Needs python-graphblas."""

import time

import graphblas as gb
import numpy as np
from graphblas import Matrix, semiring

gb.ss.config["nthreads"] = 1
random = np.random.default_rng(4)


def uniform(size, count):
    i, j = random.integers(0, size, (2, count))
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


def row(name, m, a, b):
    """The runs of `given.rs`; the complement of the power law needs too much memory."""
    times, pair = semiring.plus_times, semiring.plus_pair
    runs = [("m != 0", times, m.V), ("stored", times, m.S), ("plus.pair", pair, m.S)]
    if m is not a:
        runs.append(("m == 0", times, ~m.V))
    for run, ring, mask in runs:
        best = np.inf
        for _ in range(5):
            start = time.perf_counter()
            a.mxm(b, ring).new(mask=mask)
            best = min(best, time.perf_counter() - start)
        print(f"| masked {name}: {run} | {best:.6f} |")


a, b = (uniform(1 << 17, 1 << 21) for _ in range(2))
low = power_law(17, 16)
print("entries of the power law:", low.nvals)
for matrix in (a, b, low):
    matrix.wait()
for scale in (13, 17, 19, 21, 23, 25):
    m = uniform(1 << 17, 1 << scale)
    m.wait()
    row(f"uniform, {2.0 ** (scale - 17)} a row", m, a, b)
row("power law", low, low, low)
