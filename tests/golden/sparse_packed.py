"""Writes sparse_packed.json: products of sparse matrices with arrays in tiled layouts, by numpy, as they are stored."""

import json
from pathlib import Path

import numpy as np

random = np.random.default_rng(21)
PADDING = 99.0


def tiled(array, tiles, fill):
    """The elements of a matrix in row-major tiles, and in tiles of those, in the order in which they are stored."""
    for height, width in tiles:
        *outer, rows, columns = array.shape
        pad = [(0, 0)] * len(outer) + [(0, -rows % height), (0, -columns % width)]
        array = np.pad(array, pad, constant_values=fill)
        *outer, rows, columns = array.shape
        array = array.reshape(*outer, rows // height, height, columns // width, width)
        array = array.swapaxes(-3, -2)
    return array.reshape(-1)


def layout(dtype, shape, tiles):
    text = "".join(f"({height},{width})" for height, width in tiles)
    return f"{dtype}[{shape[0]},{shape[1]}]{{1,0{':T' + text if text else ''}}}"


def bf16(array):
    """Rounded to the nearest bf16, ties to even."""
    bits = array.astype(np.float32).view(np.uint32).astype(np.uint64)
    bits = (bits + 0x7FFF + (bits >> 16 & 1)) & 0xFFFF0000
    return bits.astype(np.uint32).view(np.float32)


ENCODINGS = [
    "(i, j) -> (i : dense, j : compressed)",
    "(i, j) -> (j : dense, i : compressed)",
    "(i, j) -> (i floordiv 2 : dense, j floordiv 4 : compressed, i mod 2 : dense, j mod 4 : dense)",
    "(i, j) -> (i : dense, j floordiv 4 : dense, j mod 4 : structured[2, 4])",
]
# The layouts of x and y: the type of the elements, the tiles.
LAYOUTS = [
    (("f32", [(8, 128)]), ("f32", [(8, 128)])),
    (("f32", [(8, 128)]), ("bf16", [(8, 128), (2, 1)])),
    (("bf16", [(8, 128), (2, 1)]), ("f32", [(2, 2)])),
    (("s8", [(8, 128), (4, 1)]), ("bf16", [(16, 128), (2, 1)])),
    (("f32", [(3, 5)]), ("f32", [])),
    (("f64", [(4, 32)]), ("f64", [(1, 64)])),
]

rows = []
for number, (x_layout, y_layout) in enumerate(LAYOUTS):
    for encoding in ENCODINGS:
        i, j, k = 6, 8, [37, 130, 64][number % 3]
        a = random.integers(-64, 64, (i, j)) / 4
        a[random.random((i, j)) < 0.5] = 0
        if "structured" in encoding:
            a.reshape(i, j // 4, 4)[:, :, [0, 3]] = 0
        (x_type, x_tiles), (y_type, y_tiles) = x_layout, y_layout
        x = random.integers(-100, 100, (j, k)) if x_type == "s8" else random.integers(-200, 200, (j, k)) / 8
        x = bf16(x) if x_type == "bf16" else x
        element = "f64" if y_type == "f64" else "f32"
        y = a @ x
        y = bf16(y) if y_type == "bf16" else y
        index = np.argwhere(a)
        x_text, y_text = layout(x_type, x.shape, x_tiles), layout(y_type, y.shape, y_tiles)
        text = (
            f"fn f(a: {{{encoding}}}<{element if y_type != 'bf16' else 'bf16'}>[i, j], x: Packed<tiled!({x_text})>[j, k]) "
            f"-> y: Packed<tiled!({y_text})>[i, k] {{ y[i, k] = a[i, j] * x[j, k] }}"
        )
        rows.append({
            "text": text,
            "encoding": encoding,
            "shape": [i, j],
            "coo": [[int(at[0]), int(at[1]), float(a[tuple(at)])] for at in index],
            "x_type": x_type,
            "x_layout": x_text,
            "x": tiled(x, x_tiles, PADDING).tolist(),
            "y_type": y_type,
            "y_layout": y_text,
            "numpy": tiled(y, y_tiles, 0.0).tolist(),
        })

lines = ",\n".join(json.dumps(row) for row in rows)
Path(__file__).with_suffix(".json").write_text(f"[\n{lines}\n]\n")
