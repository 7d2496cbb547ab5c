"""Writes the collectives that Shardy plans for random reshards: `sharding_reshard_random.json`, a row for each with the mesh,
the size of an array of f32, its sharding before and after, the steps, each a collective and the sharding after it, and the
bytes that each device receives.

Run with jax 0.10, in this directory: python sharding_reshard_random.py
"""

import json
import random
import re
from math import prod

import jaxlib.mlir.dialects.sdy  # registers the dialect
from jax._src.interpreters import mlir
from jaxlib.mlir import ir, passmanager

ROWS = 400
random.seed(1)


def split(axes, rank):
    """Each axis on a dimension or on none, in any order."""
    dims = [[] for _ in range(rank)]
    for axis in random.sample(sorted(axes), len(axes)):
        if random.random() < 0.7:
            random.choice(dims).append(axis)
    return dims


def text(dims):
    return "[" + ", ".join("{" + ", ".join(f'"{axis}"' for axis in dim) + "}" for dim in dims) + "]"


def counts(mesh, sharding):
    """The number of parts of each dimension, with parts of axes: `[{"x", "y":(1)2}, {}]`."""
    size = lambda axis, part: int(part or mesh[axis])
    return [prod(size(*axis) for axis in re.findall(r'"(\w)"(?::\(\d+\)(\d+))?', dim)) for dim in re.findall(r"{(.*?)}", sharding)]


def received(name, elements, before, after):
    """The bytes that each device receives, in the best implementation of a collective."""
    local = 4 * elements // prod(before)
    if name == "all_slice":
        return 0
    if name == "collective_permute":
        return local
    group = prod(b // a for b, a in zip(before, after) if b > a)
    return local * (group - 1) if name == "all_gather" else local * (group - 1) // group


def row(passes):
    # Half of the meshes have sizes that do not divide each other.
    size, sizes = random.choice([(64, [2, 4]), (720, [2, 3, 4, 6])])
    mesh = {axis: random.choice(sizes) for axis in "xyz"[: random.randint(1, 3)]}
    rank = random.randint(1, 3)
    before, after = split(mesh, rank), split(mesh, rank)
    parts = [prod(mesh[axis] for axis in dim) for dim in before + after]
    if before == after or any(size % count for count in parts):
        return None
    axes = ", ".join(f'"{axis}"={count}' for axis, count in mesh.items())
    array = f"tensor<{'x'.join([str(size)] * rank)}xf32>"
    module = ir.Module.parse(f"""
        sdy.mesh @mesh = <[{axes}]>
        func.func @main(%a: {array} {{sdy.sharding = #sdy.sharding<@mesh, {text(before)}>}})
            -> ({array} {{sdy.sharding = #sdy.sharding<@mesh, {text(after)}>}}) {{
          %b = sdy.reshard %a <@mesh, {text(after)}> : {array}
          return %b : {array}
        }}""")
    try:
        passes.run(module.operation)
    except ir.MLIRError:
        return None  # a step of the plan is not valid, where sizes do not divide each other
    steps = re.findall(r"sdy\.(\w+) .*out_sharding=<@mesh, (\[.*?\])>", str(module))
    reached = [counts(mesh, sharding) for sharding in [text(before), *(sharding for _, sharding in steps)]]
    moved = zip(steps, reached, reached[1:])
    return {
        "mesh": f"<[{axes}]>",
        "dims": [size] * rank,
        "from": text(before),
        "to": text(after),
        "steps": [f"{name} -> {sharding}" for name, sharding in steps],
        "bytes": sum(received(name, size**rank, *parts) for (name, _), *parts in moved),
    }


with mlir.make_ir_context(), ir.Location.unknown():
    passes = passmanager.PassManager.parse("builtin.module(func.func(sdy-reshard-to-collectives))")
    rows = []
    while len(rows) < ROWS:
        made = row(passes)
        if made and made not in rows:
            rows.append(made)
with open("sharding_reshard_random.json", "w") as file:
    file.write("[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]\n")
