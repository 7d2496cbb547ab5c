"""Opens a packed checkpoint of 40 GB and lists its tensors: how long that takes, and how much memory.

    cargo build --release --features cli --bin layout && python3 benches/open_40gb.py

The file has the tensors of a Llama of 20 billion parameters in bf16. It is sparse, so it takes no room on the disk; nothing reads its bytes.
"""

import json
import os
import subprocess
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LAYOUT = os.path.join(ROOT, "target/release/layout")
LAYERS, WIDTH, HIDDEN, VOCABULARY = 63, 5120, 13824, 32000


def tensors():
    yield "model.embed_tokens.weight", (VOCABULARY, WIDTH)
    for layer in range(LAYERS):
        at = f"model.layers.{layer}."
        for part in ("q_proj", "k_proj", "v_proj", "o_proj"):
            yield f"{at}self_attn.{part}.weight", (WIDTH, WIDTH)
        for part in ("gate_proj", "up_proj"):
            yield f"{at}mlp.{part}.weight", (HIDDEN, WIDTH)
        yield f"{at}mlp.down_proj.weight", (WIDTH, HIDDEN)
    yield "lm_head.weight", (VOCABULARY, WIDTH)


def write(path):
    """Write a header as the library's writer does, and bytes that are not there."""
    metadata, entries, end = {"tensor_layout.version": "1"}, {}, 0
    for name, (rows, columns) in tensors():
        metadata[f"layout.{name}"] = f"bf16[{rows},{columns}]{{1,0:T(8,128)(2,1)}}"
        metadata[f"checksum.{name}"] = "00000000"
        size = 2 * rows * columns
        shape = [rows // 8, columns // 128, 4, 128, 2]
        entries[name] = {"dtype": "BF16", "shape": shape, "data_offsets": [end, end + size]}
        end += size
    header = json.dumps({"__metadata__": metadata} | entries).encode()
    header += b" " * (-(8 + len(header)) % 64)
    with open(path, "wb") as file:
        file.write(len(header).to_bytes(8, "little") + header)
        file.truncate(8 + len(header) + end)
    return end


def main():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.packed.safetensors")
        size, best, memory = write(path), float("inf"), 0
        for _ in range(10):
            start = time.perf_counter()
            process = subprocess.Popen([LAYOUT, "checkpoint", path], stdout=subprocess.PIPE)
            lines = process.stdout.read().count(b"\n")
            _, status, usage = os.wait4(process.pid, 0)
            best, memory = min(best, time.perf_counter() - start), max(memory, usage.ru_maxrss)
            assert status == 0
        print(f"{size / 1e9:.1f} GB, {lines} lines: {1000 * best:.1f} ms with the start of the program, {memory / 1024:.1f} MB")


if __name__ == "__main__":
    main()
