"""Writes mlp_grad.json: the inputs and outputs of one step of an MLP with gradient, which JAX runs on 8 host devices.

Run with jax 0.10: python tests/golden/program_run/mlp_grad.py > tests/golden/program_run/mlp_grad.json
"""

import json
import os

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()).reshape(2, 4), ("data", "model"))
shapes = {"x": (8, 4), "w1": (4, 8), "w2": (8, 4), "t": (8, 4)}
splits = {"x": P("data"), "w1": P(None, "model"), "w2": P("model"), "t": P("data")}
random = np.random.default_rng(7)
inputs = {name: random.standard_normal(shape).astype(np.float32) for name, shape in shapes.items()}


def loss(w1, w2, x, t):
    return jnp.sum((jnp.dot(jnp.tanh(jnp.dot(x, w1)), w2) - t) ** 2)


@jax.jit
def step(x, w1, w2, t):
    value, (d1, d2) = jax.value_and_grad(loss, argnums=(0, 1))(w1, w2, x, t)
    return value, d1, d2, w1 - 0.125 * d1, w2 - 0.125 * d2


placed = [jax.device_put(inputs[name], NamedSharding(mesh, splits[name])) for name in shapes]
outputs = step(*placed)


def numbers(array):
    # The shortest text that reads back as the same f32.
    return [float(np.format_float_positional(x, unique=True)) for x in np.asarray(array).ravel()]


print(json.dumps({
    "inputs": [numbers(inputs[name]) for name in shapes],
    "outputs": [numbers(output) for output in outputs],
}, indent=None, separators=(",", ":")))
