"""Writes what XLA's partitioner makes of random reshards: `sharding_xla.json`, a row for each with the mesh, the size of an
array of f32, its sharding before and after, the collectives of the compiled HLO, and the bytes that each device receives.

Run with jax 0.10, in this directory: python sharding_xla.py
"""

import json
import os
import random
import re

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=12"
os.environ["JAX_PLATFORMS"] = "cpu"

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

MESHES = [{"x": 2, "y": 4}, {"x": 2, "y": 2, "z": 2}, {"x": 2, "y": 3}, {"x": 3, "y": 4}, {"x": 6}, {"x": 3, "y": 2, "z": 2}]
random.seed(1)


def split(axes, rank):
    """Each axis on a dimension or on none, in any order."""
    dims = [[] for _ in range(rank)]
    for axis in random.sample(list(axes), len(axes)):
        at = random.randrange(rank + 1)
        if at < rank:
            dims[at].append(axis)
    return dims


def sizes(shape):
    """The bytes of each array in the type of an instruction: `f32[4,8]{1,0}`, or a tuple of those."""
    return [4 * int(np.prod([int(n) for n in dims.split(",") if n])) for dims in re.findall(r"f32\[([\d,]*)\]", shape)]


def group(line):
    """The number of devices in a group of a collective, however the groups are written."""
    listed = re.search(r"replica_groups=\{\{([\d,]*)\}", line)
    if listed:
        return len(listed[1].split(","))
    counted = re.search(r"replica_groups=\[\d+,(\d+)\]", line)
    if counted:
        return int(counted[1])
    named = re.search(r"replica_groups=mesh\[([^\]]*)\].*?\{('[^}]*)\}", line)
    axes = {name: int(size) for name, size in re.findall(r"'(\w+)'=(\d+)", named[1])}
    used = re.findall(r"'(\w+)'(?::\(\d+\)(\d+))?", named[2])
    return int(np.prod([int(part or axes[name]) for name, part in used]))


def received(hlo):
    found, total = [], 0
    # A tuple of many arrays has comments, `/*index=5*/`.
    for line in re.sub(r"/\*.*?\*/", "", hlo).splitlines():
        at = re.search(r"= (\S+|\([^=]*\)) (all-gather|all-reduce|all-to-all|reduce-scatter|collective-permute)(-start)?\(", line)
        if not at:
            continue
        size, name = sum(sizes(at[1])), at[2]
        if name == "collective-permute":
            bytes = size
        else:
            count = group(line)
            bytes = {
                "all-gather": size * (count - 1) // count,
                "all-reduce": 2 * size * (count - 1) // count,
                "all-to-all": size * (count - 1) // count,
                "reduce-scatter": size * (count - 1),
            }[name]
        found.append(name)
        total += bytes
    return found, total


rows = []
while len(rows) < 300:
    axes = random.choice(MESHES)
    mesh = Mesh(np.array(jax.devices()[: int(np.prod(list(axes.values())))]).reshape(*axes.values()), tuple(axes))
    rank = random.choice([1, 2, 2, 3])
    dims = [random.choice([12, 24, 48]) for _ in range(rank)]
    before, after = split(axes, rank), split(axes, rank)
    parts = lambda dims: [int(np.prod([axes[a] for a in d], dtype=int)) for d in dims]
    fits = all(n % p == 0 for s in (before, after) for n, p in zip(dims, parts(s)))
    if before == after or not fits:
        continue
    shardings = [NamedSharding(mesh, P(*[tuple(d) or None for d in s])) for s in (before, after)]
    function = jax.jit(lambda x: x, in_shardings=shardings[0], out_shardings=shardings[1])
    hlo = function.lower(jax.ShapeDtypeStruct(dims, jnp.float32)).compile().as_text()
    collectives, bytes = received(hlo)
    text = lambda s: "<@mesh, [" + ", ".join("{" + ", ".join(f'"{a}"' for a in d) + "}" for d in s) + "]>"
    rows.append({
        "mesh": "<[" + ", ".join(f'"{a}"={n}' for a, n in axes.items()) + "]>",
        "dims": dims, "from": text(before), "to": text(after), "collectives": collectives, "bytes": bytes,
    })

with open("sharding_xla.json", "w") as file:
    file.write("[\n" + ",\n".join(json.dumps(row, separators=(",", ":")) for row in rows) + "\n]\n")
