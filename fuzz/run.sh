#!/usr/bin/env bash
# Runs one target, or all one after the other, each for some seconds: fuzz/run.sh [seconds] [target].
# With a nightly toolchain AddressSanitizer watches: RUSTUP_TOOLCHAIN=nightly fuzz/run.sh 600.
set -euo pipefail
cd "$(dirname "$0")"

seconds=${1:-60}
if [ $# -gt 1 ]; then
  targets=("$2")
else
  mapfile -t targets < <(sed -n 's|^path = "fuzz_targets/\(.*\)\.rs"$|\1|p' Cargo.toml)
fi
bins=()
for target in "${targets[@]}"; do bins+=(--bin "$target"); done

triple=$(rustc -vV | sed -n 's/^host: //p')
flags="--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4"
flags+=" -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table"
options=(--release --target "$triple")
case $(rustc -V) in
*nightly*)
  flags+=" -Zsanitizer=address"
  options+=(--target-dir target/asan)
  built=target/asan
  ;;
*) built=target ;;
esac
export CARGO_PROFILE_RELEASE_OPT_LEVEL=${CARGO_PROFILE_RELEASE_OPT_LEVEL:-1}
RUSTFLAGS="$flags" cargo build "${options[@]}" "${bins[@]}"

failed=()
for target in "${targets[@]}"; do
  mkdir -p "corpus/$target" "artifacts/$target"
  echo "== $target"
  "$built/$triple/release/$target" "corpus/$target" "-max_total_time=$seconds" -max_len=1024 -timeout=60 \
    "-artifact_prefix=artifacts/$target/" -print_final_stats=1 2>"artifacts/$target.log" || failed+=("$target")
  grep -E '^stat::number_of_executed_units|panicked|ERROR|SUMMARY' "artifacts/$target.log" || true
done
if [ ${#failed[@]} -gt 0 ]; then
  echo "failed: ${failed[*]}; see artifacts/"
  exit 1
fi
