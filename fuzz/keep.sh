#!/usr/bin/env bash
# Keeps the smallest inputs of `corpus/` that reach all the code that it reaches, as `seeds/TARGET.tar.gz`, for every target that
# `run.sh` has built: fuzz/keep.sh.
set -euo pipefail
cd "$(dirname "$0")"

triple=$(rustc -vV | sed -n 's/^host: //p')
mkdir -p seeds
for corpus in corpus/*; do
  target=$(basename "$corpus")
  kept=$(mktemp -d)
  "target/$triple/release/$target" -set_cover_merge=1 -use_counters=0 -use_cmp=0 "$kept" "$corpus" 2> /dev/null
  # The same inputs make the same archive.
  tar -C "$kept" --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner -c . | gzip -9n > "seeds/$target.tar.gz"
  echo "$target: $(find "$kept" -type f | wc -l) inputs"
  rm -r "$kept"
done
