#!/bin/sh
# What typed entry points cost: seconds and bytes of a release build of a program that packs and unpacks arrays of 100
# different shapes, over one of a single shape; and the bytes of that one over a program that packs nothing.
# Usage: benches/build_shapes.sh
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
dir=$root/target/build_shapes
mkdir -p "$dir/src"
cp "$root/Cargo.lock" "$dir/Cargo.lock"
cat > "$dir/Cargo.toml" <<EOF
[package]
name = "build_shapes"
edition = "2024"
[workspace]
[dependencies]
tensor-layout = { path = "$root" }
EOF
cd "$dir"
export CARGO_TARGET_DIR="$dir/target"

# Seconds of a release build of the program alone, and its bytes of code and constants.
build() {
    awk -v shapes="$1" 'BEGIN {
        print "#![allow(unused)]"
        print "use tensor_layout::{Host, HostValue, Layout, tiled};"
        print "#[inline(never)]"
        print "fn both<L: Layout>(bytes: &mut [u8]) -> usize {"
        print "    let mut values = vec![Host::<L>::from_le(&[0; 16]); L::DIMS.as_ref().iter().product()];"
        print "    L::pack_into(&values, &mut bytes[..L::BYTES]).unwrap();"
        print "    L::unpack_into(&bytes[..L::BYTES], &mut values).unwrap();"
        print "    values.len()"
        print "}"
        print "fn main() {"
        print "    let mut bytes = vec![0u8; 1 << 26];"
        print "    let mut sum = 0usize;"
        for (i = 0; i < shapes; i++) {
            a = 100 + 7 * i; b = 120 + 13 * i
            if (i % 4 == 0) shape = "f32[" a "," b "]{1,0:T(8,128)}"
            if (i % 4 == 1) shape = "bf16[" a "," b "]{1,0:T(8,128)(2,1)}"
            if (i % 4 == 2) shape = "s8[" a "," b "]{1,0:T(8,128)(4,1)}"
            if (i % 4 == 3) shape = "bf16[3," a "," b "]{2,0,1:T(8,128)(2,1)}"
            print "    sum += both::<tiled!(" shape ")>(&mut bytes);"
        }
        print "    println!(\"{sum}\");"
        print "}"
    }' > src/main.rs
    cargo build --release --quiet --offline
    touch src/main.rs
    seconds=$( { TIMEFORMAT='%R'; export TIMEFORMAT; bash -c 'time cargo build --release --quiet --offline'; } 2>&1 |
        tail -n 1)
    bytes=$(size target/release/build_shapes | awk 'NR == 2 { print $1 + $2 }')
}

build 0
none_bytes=$bytes
build 1
one_seconds=$seconds
one_bytes=$bytes
build 100
target/release/build_shapes > /dev/null
echo "1 shape: $one_seconds s, $one_bytes bytes; 100 shapes: $seconds s, $bytes bytes"
echo "difference: $(echo "$seconds $one_seconds" | awk '{ printf "%.1f", $1 - $2 }') s," \
    "$(echo "$bytes $one_bytes" | awk '{ printf "%.0f", ($1 - $2) / 1024 }') KiB"
echo "1 shape over none: $(echo "$one_bytes $none_bytes" | awk '{ printf "%.0f", ($1 - $2) / 1024 }') KiB"
