"""Runs examples/llm and candle on one checkpoint with as many threads, in turn, and prints a table of the best runs.

    cargo build --release -p llm && (cd benches/candle && cargo build --release)
    benches/candle/target/release/candle-bench write DIR
    python3 benches/candle/compare.py DIR --threads 4

Start-up of ours is that of a packed checkpoint that exists; the first run packs it. Memory is the largest resident set, pages of the
mapped file included.
"""

import argparse
import os
import re
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def run(command, threads):
    """Seconds to start, tokens each second read and written, and megabytes."""
    environment = dict(os.environ, RAYON_NUM_THREADS=str(threads))
    process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, env=environment)
    text = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"{' '.join(command)}: {text}")
    number, unit = re.search(r"start:\s+([\d.]+)(ns|µs|ms|s)", text).groups()
    start = float(number) * {"ns": 1e-9, "µs": 1e-6, "ms": 1e-3, "s": 1}[unit]
    read, written = (float(x) for x in re.findall(r"tokens, ([\d.]+) each second", text))
    return start, read, written, usage.ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--prompt", type=int, default=256)
    parser.add_argument("--tokens", type=int, default=64)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--llm", default=os.path.join(ROOT, "target/release/llm"))
    parser.add_argument("--candle", default=os.path.join(ROOT, "benches/candle/target/release/candle-bench"))
    given = parser.parse_args()
    ours = [given.llm, "--model", given.model, "--measure", str(given.prompt), "--tokens", str(given.tokens)]
    ways = {f"ours, {weights}": ours + ["--weights", weights] for weights in ("bf16", "q8_0", "q4_0", "2:4")}
    for dtype in ("f32", "f16", "bf16"):
        command = [given.candle, "run", given.model, dtype, str(given.prompt), str(given.tokens)]
        ways[f"candle, {dtype}"] = command
    best = {}
    for number in range(given.rounds + 1):
        for way, command in list(ways.items()):
            try:
                found = run(command, given.threads)
            except SystemExit as error:
                if number:
                    raise
                print(f"{way}: {str(error).splitlines()[-1]}")
                del ways[way]
                continue
            # The first run may pack the weights, and reads the file from the disk.
            if number == 0:
                continue
            before = best.get(way, found)
            best[way] = (
                min(before[0], found[0]), max(before[1], found[1]), max(before[2], found[2]), min(before[3], found[3])
            )
    print(f"{given.threads} threads, {given.prompt} tokens read, {given.tokens} written, the best of {given.rounds}\n")
    print("| weights | start | tokens read each second | written each second | memory |")
    print("|---|---|---|---|---|")
    for way, (start, read, written, memory) in best.items():
        print(f"| {way} | {1000 * start:.0f} ms | {read:.0f} | {written:.1f} | {memory:.0f} MB |")


if __name__ == "__main__":
    main()
