#!/usr/bin/env bash
# Lists the functions for AVX2 and AVX-512 that call closures, or what the standard library makes arrays with: these are compiled
# without the CPU's instructions unless they are inlined, and vectors then pass through memory. Fails if there are any.
set -euo pipefail
cd "$(dirname "$0")/.."

benches=(dense/matmul dense/quantized dense/movement dense/compute sparse/blocks sparse/packed)
found=0
for bench in "${benches[@]}"; do
    package=${bench%/*}-bench name=${bench#*/}
    program=$(cargo build --release -p "$package" --bench "$name" --message-format=json |
        sed -n 's/.*"executable":"\([^"]*\)".*/\1/p' | tail -1)
    calls=$(objdump --disassemble --demangle --no-show-raw-insn "$program" | awk '
        /^[0-9a-f]+ <.*>:$/ { name = $0; sub(/^[0-9a-f]+ </, "", name); sub(/>:$/, "", name) }
        name ~ /tensor_layout.*(avx2|avx512|amx)/ && /\tcall.*<core::(array|ops::try_trait)/ {
            callee = $0; sub(/.*call *[0-9a-f]+ </, "", callee); sub(/>$/, "", callee)
            print name " -> " callee
        }' | sort | uniq -c)
    if [[ -n $calls ]]; then
        printf '%s:\n%s\n' "$bench" "$calls"
        found=1
    fi
done
exit $found
