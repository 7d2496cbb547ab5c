"""Train the small language model of the example and write `model/`.

    pip install -r requirements.txt && python train.py

The model is a small Llama: RMSNorm, rotary embedding, grouped-query attention
and SwiGLU, on bytes. It learns from text that this script generates: sums
such as `127+456=583`, and questions about sentences of a small grammar, such
as `a red cat sees a big dog. who sees? a red cat.`. Each line is one text; a
line feed begins it and ends it.

At first all weights are trained. Then those that 2:4 pruning keeps are trained
too: the loss is the mean of that of all weights and that of the pruned ones,
so that one set of weights answers well either way.

One in 16 of all questions is held out: the model is never trained on it.
`model/questions.txt` has 1,000 of these with their answers, from which the
example computes its score.

Another run on the same machine, with the same versions, writes the same bytes.
"""

import json
import zlib
from functools import partial
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np

SEED = 0
WIDTH = 128
HEADS = 4
KV_HEADS = 2
HEAD = WIDTH // HEADS
HIDDEN = 384
LAYERS = 3
VOCABULARY = 256
POSITIONS = 128
THETA = 10000.0
EPSILON = 1e-5

STEPS = 1500
PRUNED_STEPS = 500
SUMS = 256
SENTENCES = 16
PEAK_RATE = 2e-3
PRUNED_PEAK_RATE = 1e-3
WARMUP = 100
PRUNED_WARMUP = 50

NOUNS = "cat dog owl fox bee hen ant pig cow ape elk rat".split()
ADJECTIVES = "red big old shy sad wet tan odd mad new".split()
VERBS = "sees hears calls feeds finds likes".split()

MODEL = Path(__file__).resolve().with_name("model")


def held_out(question):
    """Whether a question is kept for scoring."""
    return zlib.crc32(question.encode()) % 16 == 0


def make_sum(rng):
    """Return the question and the answer of a sum of two numbers below 1,000."""
    short = rng.random() < 0.2
    limits = rng.choice([10, 100, 1000], 2) if short else (1000, 1000)
    a, b = (int(rng.integers(limit)) for limit in limits)
    return f"{a}+{b}=", f"{a + b}"


def make_sentence(rng):
    """Return a sentence that ends in a question, and its answer."""
    noun, other = rng.choice(NOUNS, 2, replace=False)
    adjective, another = rng.choice(ADJECTIVES, 2)
    verb = rng.choice(VERBS)
    subject, target = f"a {adjective} {noun}", f"a {another} {other}"
    if rng.random() < 0.5:
        return f"{subject} {verb} {target}. who {verb}?", f" {subject}."
    return f"{subject} {verb} {target}. {verb} whom?", f" {target}."


def lines(rng, make, count, length):
    """Return texts [count, length] that are not held out, and the positions of their answers."""
    text, weights = np.zeros((count, length), np.int32), np.zeros((count, length), np.float32)
    row = 0
    while row < count:
        question, answer = make(rng)
        if held_out(question):
            continue
        line = f"\n{question}{answer}\n".encode()
        start = len(question) + 1
        text[row, : len(line)] = list(line)
        # Bytes that cannot be predicted have a small weight.
        weights[row, : len(line)] = 0.05
        weights[row, start : len(line)] = 1
        row += 1
    return text, weights


def initial(key):
    """Return random parameters by their names in Hugging Face's checkpoints."""
    params = {"model.norm.weight": jnp.ones(WIDTH)}
    shapes = {"model.embed_tokens.weight": (VOCABULARY, WIDTH)}
    for layer in range(LAYERS):
        at = f"model.layers.{layer}."
        params[at + "input_layernorm.weight"] = jnp.ones(WIDTH)
        params[at + "post_attention_layernorm.weight"] = jnp.ones(WIDTH)
        shapes |= {
            at + "self_attn.q_proj.weight": (HEADS * HEAD, WIDTH),
            at + "self_attn.k_proj.weight": (KV_HEADS * HEAD, WIDTH),
            at + "self_attn.v_proj.weight": (KV_HEADS * HEAD, WIDTH),
            at + "self_attn.o_proj.weight": (WIDTH, HEADS * HEAD),
            at + "mlp.gate_proj.weight": (HIDDEN, WIDTH),
            at + "mlp.up_proj.weight": (HIDDEN, WIDTH),
            at + "mlp.down_proj.weight": (WIDTH, HIDDEN),
        }
    for name, shape in shapes.items():
        key, own = jax.random.split(key)
        size = 0.5 * shape[1] ** -0.5 if "o_proj" in name or "down" in name else shape[1] ** -0.5
        params[name] = size * jax.random.normal(own, shape)
    return params


def rms_norm(x, scale):
    """Divide by the square root of the mean of the squares."""
    return x * jax.lax.rsqrt((x * x).mean(-1, keepdims=True) + EPSILON) * scale


def rotate(x):
    """Turn the pairs (i, i + HEAD / 2) of each head by the angles of their positions."""
    angles = jnp.arange(x.shape[1])[:, None] * THETA ** (-jnp.arange(0, HEAD, 2) / HEAD)
    cos, sin = jnp.cos(angles)[:, None, :], jnp.sin(angles)[:, None, :]
    a, b = jnp.split(x, 2, axis=-1)
    return jnp.concatenate([a * cos - b * sin, b * cos + a * sin], axis=-1)


def forward(params, text):
    """Return the logits [batch, length, VOCABULARY]."""
    batch, length = text.shape
    x = params["model.embed_tokens.weight"][text]
    mask = jnp.where(jnp.tril(jnp.ones((length, length), bool)), 0.0, -1e9)
    for layer in range(LAYERS):
        p = {name.split(f"layers.{layer}.")[1]: value for name, value in params.items() if f"layers.{layer}." in name}
        y = rms_norm(x, p["input_layernorm.weight"])
        q = rotate((y @ p["self_attn.q_proj.weight"].T).reshape(batch, length, HEADS, HEAD))
        k = rotate((y @ p["self_attn.k_proj.weight"].T).reshape(batch, length, KV_HEADS, HEAD))
        v = (y @ p["self_attn.v_proj.weight"].T).reshape(batch, length, KV_HEADS, HEAD)
        k, v = (jnp.repeat(z, HEADS // KV_HEADS, axis=2) for z in (k, v))
        scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) * HEAD**-0.5 + mask
        heads = jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(scores), v)
        x = x + heads.reshape(batch, length, HEADS * HEAD) @ p["self_attn.o_proj.weight"].T
        y = rms_norm(x, p["post_attention_layernorm.weight"])
        gate = jax.nn.silu(y @ p["mlp.gate_proj.weight"].T) * (y @ p["mlp.up_proj.weight"].T)
        x = x + gate @ p["mlp.down_proj.weight"].T
    return rms_norm(x, params["model.norm.weight"]) @ params["model.embed_tokens.weight"].T


def rounded(params):
    """Round to bf16, and let gradients through."""
    return {
        name: x + jax.lax.stop_gradient(x.astype(jnp.bfloat16).astype(jnp.float32) - x)
        for name, x in params.items()
    }


def pruned(params):
    """Keep the two largest of each four weights of a row as `2:4 pruned` does, and let gradients through."""
    kept = {}
    for name, x in params.items():
        if "proj" in name:
            order = jnp.argsort(-jnp.abs(x).reshape(len(x), -1, 4), axis=-1, stable=True)
            is_kept = jnp.argsort(order, axis=-1) < 2
            x += jax.lax.stop_gradient(jnp.where(is_kept.reshape(x.shape), x, 0.0) - x)
        kept[name] = x
    return kept


def entropy(params, batches):
    """Return the weighted cross entropy of the next bytes."""
    total = 0.0
    for text, weights in batches:
        logits = forward(params, text[:, :-1])
        chosen = jnp.take_along_axis(jax.nn.log_softmax(logits), text[:, 1:, None], axis=-1)
        weights = weights[:, 1:]
        total -= (chosen[..., 0] * weights).sum() / weights.sum()
    return total


def loss(params, batches, with_pruned):
    """Return the entropy of all weights, or the mean of that and of the entropy of the pruned ones."""
    params = rounded(params)
    if not with_pruned:
        return entropy(params, batches)
    return (entropy(params, batches) + entropy(pruned(params), batches)) / 2


@partial(jax.jit, donate_argnums=(0, 1, 2), static_argnums=(4, 5))
def update(params, mean, square, step, steps, with_pruned, batches):
    """One step of AdamW with a warm-up and a cosine."""
    value, gradient = jax.value_and_grad(loss)(params, batches, with_pruned)
    norm = jnp.sqrt(sum((g * g).sum() for g in gradient.values()))
    gradient = {name: g * jnp.minimum(1.0, 1.0 / norm) for name, g in gradient.items()}
    peak, warmup = (PRUNED_PEAK_RATE, PRUNED_WARMUP) if with_pruned else (PEAK_RATE, WARMUP)
    rate = peak * jnp.minimum(step / warmup, 0.5 + 0.5 * jnp.cos(jnp.pi * step / steps) + 0.01)
    new = {}
    for name, g in gradient.items():
        mean[name] = 0.9 * mean[name] + 0.1 * g
        square[name] = 0.98 * square[name] + 0.02 * g * g
        direction = mean[name] / (1 - 0.9**step) / (jnp.sqrt(square[name] / (1 - 0.98**step)) + 1e-8)
        decay = 0.05 if params[name].ndim == 2 else 0.0
        new[name] = params[name] - rate * (direction + decay * params[name])
    return new, mean, square, value


@partial(jax.jit, static_argnums=1)
def next_bytes(params, is_pruned, text):
    """Return the likeliest byte after each byte."""
    params = rounded(params)
    return forward(pruned(params) if is_pruned else params, text).argmax(-1)


def score(params, is_pruned, questions, length):
    """Return the number of questions that are answered correctly."""
    text, wanted = np.zeros((len(questions), length), np.int32), []
    for row, (question, answer) in enumerate(questions):
        line = f"\n{question}{answer}\n".encode()
        text[row, : len(line)] = list(line)
        wanted.append((len(question), len(line) - 1))
    # An answer is correct exactly if each of its bytes is the likeliest one after the correct bytes before it.
    found = np.asarray(next_bytes(params, is_pruned, text))
    return sum(
        bool((found[row, start:end] == text[row, start + 1 : end + 1]).all())
        for row, (start, end) in enumerate(wanted)
    )


def questions(make, count):
    """Return questions that are held out, and their answers."""
    rng, found = np.random.default_rng(SEED + 1), {}
    while len(found) < count:
        question, answer = make(rng)
        if held_out(question):
            found[question] = answer
    return list(found.items())


def write_safetensors(path, tensors, metadata):
    """Write tensors in bf16: length of the header, header as JSON, bytes."""
    header, data = {"__metadata__": metadata}, b""
    for name, array in sorted(tensors.items()):
        raw = np.asarray(jnp.asarray(array).astype(jnp.bfloat16)).view(np.uint16).astype("<u2").tobytes()
        header[name] = {
            "dtype": "BF16",
            "shape": list(array.shape),
            "data_offsets": [len(data), len(data) + len(raw)],
        }
        data += raw
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(len(text).to_bytes(8, "little") + text + data)


def main():
    sums, sentences = questions(make_sum, 500), questions(make_sentence, 500)
    rng = np.random.default_rng(SEED)
    params = initial(jax.random.key(SEED))

    def scores(is_pruned):
        return {
            "sums": score(params, is_pruned, sums, 14),
            "sentences": score(params, is_pruned, sentences, 56),
        }

    for steps, with_pruned in ((STEPS, False), (PRUNED_STEPS, True)):
        mean, square = ({name: jnp.zeros_like(x) for name, x in params.items()} for _ in range(2))
        for step in range(1, steps + 1):
            batches = [lines(rng, make_sum, SUMS, 14), lines(rng, make_sentence, SENTENCES, 56)]
            params, mean, square, value = update(params, mean, square, float(step), steps, with_pruned, batches)
            if step % 100 == 0:
                print(step, f"{value:.4f}", scores(False), "pruned", scores(True), flush=True)

    right = {name: f"{count} of 500" for name, count in scores(False).items()}
    right |= {f"{name}, 2:4 pruned": f"{count} of 500" for name, count in scores(True).items()}
    MODEL.mkdir(exist_ok=True)
    metadata = {"format": "pt", "seed": str(SEED), "jax": jax.__version__} | right
    write_safetensors(MODEL / "model.safetensors", params, metadata)
    config = {
        "architectures": ["LlamaForCausalLM"],
        "model_type": "llama",
        "hidden_size": WIDTH,
        "intermediate_size": HIDDEN,
        "num_hidden_layers": LAYERS,
        "num_attention_heads": HEADS,
        "num_key_value_heads": KV_HEADS,
        "head_dim": HEAD,
        "vocab_size": VOCABULARY,
        "max_position_embeddings": POSITIONS,
        "rms_norm_eps": EPSILON,
        "rope_theta": THETA,
        "hidden_act": "silu",
        "tie_word_embeddings": True,
        "bos_token_id": 10,
        "eos_token_id": 10,
        "torch_dtype": "bfloat16",
    }
    (MODEL / "config.json").write_text(json.dumps(config, indent=2) + "\n")
    text = "".join(f"{question}\t{answer}\n" for question, answer in sums + sentences)
    (MODEL / "questions.txt").write_text(text)
    print(right)


if __name__ == "__main__":
    main()
