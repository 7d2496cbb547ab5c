#!/bin/sh
# Seconds that rustc takes to expand a `propagate!` of 1,000 operations, best of three, with macros built as `cargo check`
# builds them, without optimization.
# Usage: benches/expand_time.sh
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
dir=$root/target/expand_time
mkdir -p "$dir/src"
cp "$root/Cargo.lock" "$dir/Cargo.lock"
cat > "$dir/Cargo.toml" <<EOF
[package]
name = "expand_time"
edition = "2024"
[workspace]
[dependencies]
tensor-layout = { path = "$root" }
EOF
cd "$dir"
export CARGO_INCREMENTAL=0 CARGO_TARGET_DIR="$dir/target"
awk 'BEGIN {
    print "tensor_layout::mesh! { pub Pod = [\"data\" = 2, \"model\" = 4] }"
    print "tensor_layout::propagate! { mesh Pod; pub fn mlp("
    print "x0: f32[1024,4096] [{\"data\"}, {?}],"
    for (i = 0; i < 250; i++) {
        split_along = i % 2 == 0 ? "[{}, {\"model\"}]" : "[{\"model\"}, {}]"
        print "w" i ": f32[4096,4096] " split_along ", b" i ": f32[4096],"
    }
    print ") {"
    for (i = 0; i < 250; i++) {
        print "let h" i " = dot(x" i ", w" i ");"
        print "let c" i " = broadcast_in_dim(b" i ", [1024,4096], [1]);"
        print "let s" i " = add(h" i ", c" i ");"
        print "let x" i + 1 " = tanh(s" i ");"
    }
    print "return x250; } }"
}' > src/lib.rs
cargo check --quiet --offline
best=
for _ in 1 2 3; do
    touch src/lib.rs
    # The time of each pass is for nightly compilers, and for those that are told to behave as one.
    seconds=$(RUSTC_BOOTSTRAP=1 cargo rustc --profile check --offline -- -Ztime-passes 2>&1 |
        awk '/macro_expand_crate/ { sub(";", "", $2); print $2 }')
    best=$(printf '%s\n%s\n' "${best:-$seconds}" "$seconds" | sort -n | head -n 1)
done
echo "$best s"
