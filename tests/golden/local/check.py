"""Runs local programs, `NAME.local.mlir`, in XLA on 8 host devices, and compares what they make with the program as a whole,
which one device runs: not those with manual computations, which one device cannot run. The padding of arguments is 77, which
must not count.

Run with jax 0.10: python check.py LAYOUT FILE.mlir FILE.local.mlir .., where LAYOUT is the program `layout`.
"""

import json
import math
import os
import re
import subprocess
import sys

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"
os.environ["JAX_PLATFORMS"] = "cpu"

import jax
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P
from jax._src.lib import xla_client

devices = jax.devices()
TYPES = {"f32": np.float32, "s32": np.int32, "u32": np.uint32, "pred": np.bool_}


def compiled(text, replicas):
    """Devices are replicas here: XLA runs a program of several partitions only if it has made them itself."""
    text = re.sub(r"mhlo.num_partitions = \d+ : i32, mhlo.num_replicas = \d+ : i32",
                  f"mhlo.num_partitions = 1 : i32, mhlo.num_replicas = {replicas} : i32", text)
    if replicas > 1:
        text = text.replace("stablehlo.partition_id", "stablehlo.replica_id")
        text = re.sub(r"channel_handle = #stablehlo.channel_handle<handle = \d+, type = \d>(, )?", "", text)
        text = text.replace(", use_global_device_ids", "").replace("use_global_device_ids, ", "")
    options = xla_client.CompileOptions()
    options.num_replicas, options.num_partitions = replicas, 1
    options.executable_build_options.use_shardy_partitioner = True
    options.device_assignment = xla_client.DeviceAssignment.create(np.arange(replicas).reshape(replicas, 1))
    own = xla_client.DeviceList(tuple(devices[:replicas]))
    return devices[0].client.compile_and_load(text, own, options)


def tiles(sharding, meshes, count):
    """For each device, its position along each dimension, and how many there are."""
    name, dims = re.match(r'<@"?([\w ]+)"?, \[(.*?)\]', sharding).groups()
    axes, ids = meshes[name]
    sizes = dict(axes)
    for device in range(count):
        at, own = ids.index(device) if ids else device, {}
        for axis, size in reversed(axes):
            own[axis], at = at % size, at // size
        found = []
        for dim in re.findall(r"\{([^}]*)\}", dims):
            position, parts = 0, 1
            for axis, pre, size in re.findall(r'"(\w+)"(?::\((\d+)\)(\d+))?', dim):
                pre, size = int(pre or 1), int(size or sizes[axis])
                position = position * size + own[axis] // (sizes[axis] // (pre * size)) % size
                parts *= size
            found.append((position, parts))
        yield found


def shards(array, sharding, meshes, count):
    """For each device, its local array, and where it lies."""
    for own in tiles(sharding, meshes, count):
        local = [math.ceil(size / parts) for size, (_, parts) in zip(array.shape, own)]
        part = tuple(slice(min(at * n, size), min((at + 1) * n, size)) for (at, _), n, size in zip(own, local, array.shape))
        padded = np.full(local, 77, array.dtype)
        padded[tuple(slice(0, n) for n in array[part].shape)] = array[part]
        yield padded, part


def on_all(parts):
    """One array for all devices, whose shards are these."""
    mesh = Mesh(np.array(devices[:len(parts)]), "d")
    if not parts[0].shape:
        sharding, shape = NamedSharding(mesh, P()), ()
    else:
        sharding, shape = NamedSharding(mesh, P("d")), (len(parts) * parts[0].shape[0], *parts[0].shape[1:])
    return jax.make_array_from_single_device_arrays(shape, sharding, [jax.device_put(*pair) for pair in zip(parts, devices)])


def check(layout, file, local):
    table = json.loads(subprocess.run([layout, "shard", file, "--json"], capture_output=True, check=True).stdout)
    meshes = {}
    for mesh in table["meshes"]:
        axes = [(axis, int(size)) for axis, size in re.findall(r'"(\w+)"=(\d+)', mesh["mesh"])]
        ids = re.search(r"device_ids=\[(.*?)\]", mesh["mesh"])
        meshes[mesh["name"]] = axes, ids and [int(number) for number in ids.group(1).split(",")]
    count = max(math.prod(size for _, size in axes) for axes, _ in meshes.values())
    rng = np.random.default_rng(1)
    arguments = []
    for value in table["values"]:
        if value["is_argument"]:
            dtype = TYPES[value["type"]]
            numbers = rng.standard_normal(value["dims"]) if dtype == np.float32 else rng.integers(0, 8, value["dims"])
            arguments.append((np.asarray(numbers, dtype), value["sharding"]))
    whole = compiled(open(file).read(), 1).execute_sharded([jax.device_put(x, devices[0]) for x, _ in arguments])
    parts = [on_all([part for part, _ in shards(x, how, meshes, count)]) for x, how in arguments]
    found = compiled(open(local).read(), count).execute_sharded(parts).disassemble_into_single_device_arrays()
    for at, (own, result) in enumerate(zip(whole.disassemble_into_single_device_arrays(), table["results"])):
        expected = np.asarray(own[0])
        size = np.abs(expected.astype(np.float64)).mean() if expected.size else 0
        for device, (padded, part) in enumerate(shards(expected, result["sharding"], meshes, count)):
            array = np.asarray(found[at][device])
            assert array.shape == padded.shape, f"{local}: result {at} has shape {array.shape}, not {padded.shape}"
            own = array[tuple(slice(0, n) for n in expected[part].shape)]
            np.testing.assert_allclose(own, expected[part], 2e-4, 2e-4 * size,
                                       err_msg=f"{local}: result {at} on device {device}")
    print(f"{local}: {len(table['results'])} results on {count} devices")


for file, local in zip(sys.argv[2::2], sys.argv[3::2]):
    check(sys.argv[1], file, local)
