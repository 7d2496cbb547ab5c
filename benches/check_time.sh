#!/bin/sh
# CPU seconds of `cargo check` for a crate with 1,000 distinct layouts, over those of an empty crate.
# Usage: benches/check_time.sh
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
dir=$root/target/check_time
mkdir -p "$dir/src"
cp "$root/Cargo.lock" "$dir/Cargo.lock"
cat > "$dir/Cargo.toml" <<EOF
[package]
name = "check_time"
edition = "2024"
[workspace]
[dependencies]
tensor-layout = { path = "$root" }
EOF
cd "$dir"
export CARGO_INCREMENTAL=0 CARGO_TARGET_DIR="$dir/target"

# Best of three: user and system time of one `cargo check` of the crate alone.
check() {
    best=
    for _ in 1 2 3; do
        touch src/lib.rs
        seconds=$( { TIMEFORMAT='%U %S'; export TIMEFORMAT; bash -c 'time cargo check --quiet --offline'; } 2>&1 |
            tail -n 1 | awk '{ print $1 + $2 }')
        best=$(printf '%s\n%s\n' "${best:-$seconds}" "$seconds" | sort -n | head -n 1)
    done
    echo "$best"
}

: > src/lib.rs
cargo check --quiet --offline
empty=$(check)
awk 'BEGIN {
    print "use tensor_layout::tiled;"
    for (i = 0; i < 1000; i++) {
        a = 8 + i; b = 128 + i
        if (i % 4 == 0) shape = "f32[" a "," b "]{1,0:T(8,128)}"
        if (i % 4 == 1) shape = "bf16[" a "," b "]{1,0:T(8,128)(2,1)}"
        if (i % 4 == 2) shape = "s8[" a "," b "]{0,1:T(8,128)(4,1)}"
        if (i % 4 == 3) shape = "bf16[3," a "," b "]{2,0,1:T(8,128)(2,1)}"
        print "pub type L" i " = tiled!(" shape ");"
        print "pub const LEN" i ": usize = L" i "::LEN;"
        print "pub fn takes" i "(_: L" i ") {}"
    }
}' > src/lib.rs
full=$(check)
echo "empty crate: $empty s"
echo "1,000 layouts, each in a signature and with its length evaluated: $full s"
echo "difference: $(echo "$full $empty" | awk '{ printf "%.2f", $1 - $2 }') s of CPU time"
