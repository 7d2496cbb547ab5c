"""The rows of `convert.rs` with scipy, and with fast_matrix_market where it is installed: `python3 convert.py [words]`."""

import os
import sys
import tempfile
import time

import numpy as np
import scipy.io
import scipy.sparse as sp

SIZE = 1 << 20


def scattered(numbers):
    bits = np.uint64(SIZE * SIZE - 1)
    with np.errstate(over="ignore"):
        hash = (numbers * np.uint64(0x9E3779B97F4A7C15)) & bits
        hash ^= hash >> np.uint64(21)
        hash = (hash * np.uint64(0xBF58476D1CE4E5B9)) & bits
        hash ^= hash >> np.uint64(17)
    rows, columns = hash // np.uint64(SIZE), hash % np.uint64(SIZE)
    return rows.astype(np.int32), columns.astype(np.int32), 1.0 + numbers.astype(np.float64)


def status(name):
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith(name))


def row(name, run):
    if not all(word in name for word in sys.argv[1:]):
        return
    best, most = 1e9, 0
    for _ in range(3):
        with open("/proc/self/clear_refs", "w") as file:
            file.write("5")
        before = status("VmRSS")
        start = time.perf_counter()
        made = run()
        best = min(best, time.perf_counter() - start)
        most = max(most, status("VmHWM") - before)
        del made
    print(f"| {name} | {best:.3f} | {most // 1024} |", flush=True)


def coo(rows, columns, values, shape):
    made = sp.coo_matrix((values, (rows, columns)), shape).tocsr()
    # The order of the columns of a row, which our tensors have, is part of the work.
    made.sort_indices()
    return made


def sorted_bsr(matrix):
    made = matrix.tobsr((4, 4))
    made.sort_indices()
    return made


print("| | s | MB |\n|---|---|---|")
i, j, v = scattered(np.arange(10_000_000, dtype=np.uint64))
row("from_coo, 10M scattered", lambda: coo(i, j, v, (SIZE, SIZE)))
matrix = coo(i, j, v, (SIZE, SIZE))
del i, j, v
row("csr->csc, 10M scattered", matrix.tocsc)
row("csr->coo, 10M scattered", lambda: matrix.tocoo(copy=True))
path = os.path.join(tempfile.gettempdir(), "convert_py.mtx")
scipy.io.mmwrite(path, matrix.tocoo(), precision=17)
del matrix
row("read mtx, 10M scattered", lambda: scipy.io.mmread(path).tocsr())
files = {"10M scattered": path}
if "CONVERT_MTX" in os.environ:
    files["CONVERT_MTX"] = os.environ["CONVERT_MTX"]
try:
    import fast_matrix_market as fmm
    fmm.PARALLELISM = 1
    for name, file in files.items():
        row(f"read mtx, {name} (fast_matrix_market, one thread)", lambda: fmm.mmread(file, parallelism=1).tocsr())
except ImportError:
    pass
os.remove(path)

n = 555_556
i = np.repeat(np.arange(n, dtype=np.int64), 9)
j = i + np.tile(np.arange(-4, 5), n)
inside = (j >= 0) & (j < n)
i, j = i[inside].astype(np.int32), j[inside].astype(np.int32)
v = 1.0 + (i + j).astype(np.float64)
row("from_coo, 5M band", lambda: coo(i, j, v, (n, n)))
matrix = coo(i, j, v, (n, n))
del i, j, v, inside
row("csr->csc, 5M band", matrix.tocsc)
row("csr->coo, 5M band", lambda: matrix.tocoo(copy=True))
row("csr->bsr, 5M band", lambda: sorted_bsr(matrix))
