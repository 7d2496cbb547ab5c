#!/bin/sh
# How much code and constants a program has for one `pack`, and for each of 99 more of other layouts, in a release build.
# Fails where either is above its goal: `LIMIT_ONE` bytes for the first, `LIMIT_EACH` for each other. The compiler's output
# does not vary from run to run, so that this can be asked of each change.
# Usage: benches/code_size.sh
set -eu
LIMIT_ONE=$((300 * 1024))
LIMIT_EACH=2048

root=$(cd "$(dirname "$0")/.." && pwd)
dir=$root/target/code_size
mkdir -p "$dir/src"
cp "$root/Cargo.lock" "$dir/Cargo.lock"
cat > "$dir/Cargo.toml" <<END
[package]
name = "code_size"
edition = "2024"
[workspace]
[dependencies]
tensor-layout = { path = "$root", default-features = false, features = ["std"] }
END
cd "$dir"
export CARGO_TARGET_DIR="$dir/target"

# The bytes of code and constants of a program that packs this number of arrays, each in another layout.
measure() {
    awk -v packs="$1" 'BEGIN {
        print "#![allow(deprecated, reason = \"much padding\")]"
        print "use std::hint::black_box;"
        print "use tensor_layout::{half::bf16, tiled};"
        print "fn main() {"
        print "    let floats: &[f32] = black_box(&[]);"
        print "    let halves: &[bf16] = black_box(&[]);"
        print "    let bytes: &[i8] = black_box(&[]);"
        print "    black_box((floats, halves, bytes));"
        if (!packs) print "    black_box(None::<tiled!(f32[2])>.is_none());"
        for (i = 0; i < packs; i++) {
            a = 100 + 7 * i; b = 120 + 13 * i
            if (i % 4 == 0) { values = "floats"; type = "f32[" a "," b "]{1,0:T(8,128)}" }
            if (i % 4 == 1) { values = "halves"; type = "bf16[" a "," b "]{1,0:T(8,128)(2,1)}" }
            if (i % 4 == 2) { values = "bytes"; type = "s8[" a "," b "]{1,0:T(8,128)(4,1)}" }
            if (i % 4 == 3) { values = "halves"; type = "bf16[3," a "," b "]{2,0,1:T(8,128)(2,1)}" }
            print "    black_box(<tiled!(" type ")>::pack(" values ").is_ok());"
        }
        print "}"
    }' > src/main.rs
    cargo build --release --quiet --offline
    size target/release/code_size | awk 'NR == 2 { print $1 + $2 }'
}

none=$(measure 0)
one=$(measure 1)
all=$(measure 100)
first=$((one - none))
each=$(((all - one) / 99))
echo "one pack: $first bytes of $LIMIT_ONE; each other: $each bytes of $LIMIT_EACH"
[ "$first" -lt "$LIMIT_ONE" ] && [ "$each" -lt "$LIMIT_EACH" ]
