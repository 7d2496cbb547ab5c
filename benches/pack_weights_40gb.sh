#!/usr/bin/env bash
# Packs a file of 40 GB and says how long that takes and how much memory: more than most machines have, less than
# 256 MiB must do. The file is sparse, so it takes no room on the disk, but every byte of it is read.
set -euo pipefail
cd "$(dirname "$0")/.."

file=$(mktemp --suffix=.safetensors)
trap 'rm -f "$file"' EXIT

tensor() { printf '"%s":{"dtype":"%s","shape":%s,"data_offsets":[%d,%d]}' "$@"; }
# In turn: rows that are gathered, a dimension that turns minor, one run, bytes.
header="{$(tensor rows F32 '[100000,70000]' 0 28000000000)"
header+=",$(tensor turned BF16 '[20000000,200]' 28000000000 36000000000)"
header+=",$(tensor run F32 '[500000000]' 36000000000 38000000000)"
header+=",$(tensor bytes I8 '[50000,40000]' 38000000000 40000000000)}"
# The length of the header, 8 bytes, least significant first.
printf -v high '\\x%02x' $((${#header} >> 8))
printf -v low '\\x%02x' $((${#header} & 255))
printf "$low$high"'\0\0\0\0\0\0%s' "$header" > "$file"
truncate -s $((8 + ${#header} + 40000000000)) "$file"

cargo build --quiet --release -p pack_weights
time cargo run --quiet --release -p pack_weights -- "$file"
