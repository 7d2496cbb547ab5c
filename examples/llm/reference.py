"""Write `tests/logits.safetensors`: the logits of Llamas, in plain numpy.

    pip install numpy && python reference.py

This is the published definition in f64, without a cache and without tiles:
RMSNorm, rotary position embedding, grouped-query attention and SwiGLU, as in
"LLaMA: Open and Efficient Foundation Language Models" (arXiv:2302.13971) and
"The Llama 3 Herd of Models" (arXiv:2407.21783), with the halves of a head
turned as Hugging Face's checkpoints have them. Weights are bf16.

The models are the one in `model/` and three of random weights, which
`tests/logits.rs` makes by the same formula; each reads two texts. The same
models are there a second time, with two of every four weights set to zero.
"""

import json
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent

RANDOM = {
    # Vocabulary, width, query heads, key heads, size of a head, hidden, layers.
    "one": dict(dims=(64, 32, 4, 2, 8, 48), layers=3, theta=10000.0, epsilon=1e-5, tied=False, scaling=None),
    "shared": dict(
        dims=(96, 48, 4, 1, 16, 80),
        layers=2,
        theta=500.0,
        epsilon=1e-6,
        tied=True,
        scaling=dict(factor=4.0, low=1.0, high=4.0, context=64.0),
    ),
    "own": dict(dims=(130, 64, 2, 2, 32, 96), layers=2, theta=500000.0, epsilon=1e-5, tied=False, scaling=None),
}


def to_bf16(x):
    """Round to bf16, nearest even."""
    bits = np.asarray(x, np.float32).view(np.uint32).astype(np.uint64)
    bits = (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16 << 16
    return bits.astype(np.uint32).view(np.float32).astype(np.float64)


def random(name, count):
    """Return numbers from -1 to 1: SplitMix64, seeded with the FNV-1a hash of a name."""
    state = 0xCBF29CE484222325
    for byte in name.encode():
        state = (state ^ byte) * 0x100000001B3 % 2**64
    with np.errstate(over="ignore"):
        x = np.uint64(state) + np.arange(1, count + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        x = x ^ (x >> np.uint64(31))
    return (x >> np.uint64(40)).astype(np.float64) / 2**23 - 1


def random_weights(dims, layers, tied, **_):
    """Return weights by name."""
    vocabulary, width, query_heads, key_heads, head, hidden = dims
    shapes = {"model.embed_tokens.weight": (vocabulary, width), "model.norm.weight": (width,)}
    if not tied:
        shapes["lm_head.weight"] = (vocabulary, width)
    for layer in range(layers):
        at = f"model.layers.{layer}."
        shapes |= {
            at + "input_layernorm.weight": (width,),
            at + "post_attention_layernorm.weight": (width,),
            at + "self_attn.q_proj.weight": (query_heads * head, width),
            at + "self_attn.k_proj.weight": (key_heads * head, width),
            at + "self_attn.v_proj.weight": (key_heads * head, width),
            at + "self_attn.o_proj.weight": (width, query_heads * head),
            at + "mlp.gate_proj.weight": (hidden, width),
            at + "mlp.up_proj.weight": (hidden, width),
            at + "mlp.down_proj.weight": (width, hidden),
        }
    weights = {}
    for name, shape in shapes.items():
        x = random(name, int(np.prod(shape))).reshape(shape)
        # Norms are about 1, and products keep the magnitude of their operands.
        x = 1 + 0.5 * x if len(shape) == 1 else x * np.sqrt(3 / shape[1])
        weights[name] = to_bf16(x)
    return weights


def prune(weights):
    """Keep the two largest of every four weights of a row, the first if equal; embeddings and output weights are not pruned."""
    pruned = {}
    for name, w in weights.items():
        if w.ndim == 2 and "embed_tokens" not in name and "lm_head" not in name:
            groups = w.reshape(-1, 4)
            order = np.argsort(-np.abs(groups), axis=1, kind="stable")
            groups = groups.copy()
            np.put_along_axis(groups, order[:, 2:], 0, axis=1)
            w = groups.reshape(w.shape)
        pruned[name] = w
    return pruned


def read_safetensors(path):
    """Return the bf16 tensors of a file."""
    data = path.read_bytes()
    start = 8 + int.from_bytes(data[:8], "little")
    header = json.loads(data[8:start])
    header.pop("__metadata__", None)
    tensors = {}
    for name, entry in header.items():
        first, last = entry["data_offsets"]
        bits = np.frombuffer(data[start + first : start + last], "<u2").astype(np.uint32) << 16
        tensors[name] = bits.view(np.float32).astype(np.float64).reshape(entry["shape"])
    return tensors


def rms_norm(x, scale, epsilon):
    return x / np.sqrt((x * x).mean(-1, keepdims=True) + epsilon) * scale


def frequencies(head, theta, scaling):
    """Return the angle by which each pair turns from one position to the next."""
    found = theta ** (-np.arange(0, head, 2) / head)
    if scaling is None:
        return found
    stretched = []
    for frequency in found:
        wavelength = 2 * np.pi / frequency
        if wavelength < scaling["context"] / scaling["high"]:
            stretched.append(frequency)
        elif wavelength > scaling["context"] / scaling["low"]:
            stretched.append(frequency / scaling["factor"])
        else:
            share = (scaling["context"] / wavelength - scaling["low"]) / (scaling["high"] - scaling["low"])
            stretched.append((1 - share) * frequency / scaling["factor"] + share * frequency)
    return np.array(stretched)


def rotate(x, angles):
    """Turn the heads of [tokens, heads, head] by [tokens, head / 2] angles."""
    low, high = np.split(x, 2, axis=-1)
    cos, sin = np.cos(angles)[:, None, :], np.sin(angles)[:, None, :]
    return np.concatenate([low * cos - high * sin, high * cos + low * sin], axis=-1)


def softmax(x):
    x = np.exp(x - x.max(-1, keepdims=True))
    return x / x.sum(-1, keepdims=True)


def logits(weights, tokens, dims, layers, theta, epsilon, tied, scaling):
    """Return the logits of the token that follows each token."""
    _, _, query_heads, key_heads, head, _ = dims
    count = len(tokens)
    angles = np.arange(count)[:, None] * frequencies(head, theta, scaling)
    x = weights["model.embed_tokens.weight"][tokens]
    for layer in range(layers):
        w = lambda part: weights[f"model.layers.{layer}.{part}.weight"]
        y = rms_norm(x, w("input_layernorm"), epsilon)
        q = rotate((y @ w("self_attn.q_proj").T).reshape(count, query_heads, head), angles)
        k = rotate((y @ w("self_attn.k_proj").T).reshape(count, key_heads, head), angles)
        v = (y @ w("self_attn.v_proj").T).reshape(count, key_heads, head)
        heads = np.zeros((count, query_heads, head))
        for number in range(query_heads):
            key_head = number // (query_heads // key_heads)
            scores = q[:, number] @ k[:, key_head].T / np.sqrt(head)
            scores[np.triu_indices(count, 1)] = -np.inf
            heads[:, number] = softmax(scores) @ v[:, key_head]
        x = x + heads.reshape(count, -1) @ w("self_attn.o_proj").T
        y = rms_norm(x, w("post_attention_layernorm"), epsilon)
        gate = y @ w("mlp.gate_proj").T
        x = x + (gate / (1 + np.exp(-gate)) * (y @ w("mlp.up_proj").T)) @ w("mlp.down_proj").T
    output = weights["model.embed_tokens.weight" if tied else "lm_head.weight"]
    return rms_norm(x, weights["model.norm.weight"], epsilon) @ output.T


def write_safetensors(path, tensors):
    """Write f32 tensors."""
    header, data = {}, b""
    for name, array in tensors.items():
        raw = array.astype("<f4").tobytes()
        offsets = [len(data), len(data) + len(raw)]
        header[name] = {"dtype": "F32", "shape": list(array.shape), "data_offsets": offsets}
        data += raw
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(len(text).to_bytes(8, "little") + text + data)


def main():
    golden = {}
    for name, config in RANDOM.items():
        weights = random_weights(**config)
        for text, count in enumerate([13, 9]):
            tokens = [(7 * i * i + 11 * text + 3) % config["dims"][0] for i in range(count)]
            golden[f"{name}.{text}"] = logits(weights, tokens, **config)
            golden[f"{name}, 2:4.{text}"] = logits(prune(weights), tokens, **config)
    config = json.loads((HERE / "model" / "config.json").read_text())
    keys = ("num_attention_heads", "num_key_value_heads", "head_dim", "intermediate_size")
    dims = (config["vocab_size"], config["hidden_size"], *(config[key] for key in keys))
    weights = read_safetensors(HERE / "model" / "model.safetensors")
    for text, line in enumerate(["\n127+456=583", "\na red cat"]):
        for name, of in [("model", weights), ("model, 2:4", prune(weights))]:
            golden[f"{name}.{text}"] = logits(
                of,
                list(line.encode()),
                dims=dims,
                layers=config["num_hidden_layers"],
                theta=config["rope_theta"],
                epsilon=config["rms_norm_eps"],
                tied=config["tie_word_embeddings"],
                scaling=None,
            )
    write_safetensors(HERE / "tests" / "logits.safetensors", golden)


if __name__ == "__main__":
    main()
