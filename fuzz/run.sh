#!/usr/bin/env bash
# Runs one target, or all, each for some seconds: fuzz/run.sh [seconds] [target].
# With a nightly toolchain AddressSanitizer watches: RUSTUP_TOOLCHAIN=nightly fuzz/run.sh 600.
# JOBS=4 runs four targets at a time.
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

# Starts from the inputs that are kept, and from what earlier runs found.
run() {
  mkdir -p "corpus/$1" "artifacts/$1"
  if [ -f "seeds/$1.tar.gz" ] && ! tar -xzf "seeds/$1.tar.gz" -C "corpus/$1" --skip-old-files; then
    touch "artifacts/$1.failed"
  fi
  # Longer inputs would be cut, also the kept ones.
  "$built/$triple/release/$1" "corpus/$1" "-max_total_time=$seconds" -max_len=4096 -timeout=120 -rss_limit_mb=4096 \
    "-artifact_prefix=artifacts/$1/" -print_final_stats=1 &> "artifacts/$1.log" || touch "artifacts/$1.failed"
  echo "$1: $(grep -E '^stat::number_of_executed_units|panicked|ERROR|SUMMARY' "artifacts/$1.log")"
}

rm -f artifacts/*.failed
for target in "${targets[@]}"; do
  while (($(jobs -pr | wc -l) >= ${JOBS:-1})); do wait -n; done
  run "$target" &
done
wait
if compgen -G 'artifacts/*.failed' > /dev/null; then
  echo "failed:" artifacts/*.failed
  exit 1
fi
