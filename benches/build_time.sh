#!/bin/bash
# CPU seconds of `cargo build` from clean for a program that uses `tiled!` and nothing else, and those of its largest crates:
# of each build of a crate that Cargo builds more than once. With the default features, and with tiled layouts alone where the
# version has features for the others.
# Usage: benches/build_time.sh [DIRECTORY]...
# The directories hold other versions of this repository, which are built in turn with this one. Best of three.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
work=$here/target/build_time
mkdir -p "$work/user/src"
# With information for debuggers, as users build.
export CARGO_INCREMENTAL=0 CARGO_PROFILE_DEV_DEBUG=full

# Runs in place of rustc and adds a line to a log: the name of the crate, and the seconds of the user and of the system.
cat > "$work/rustc" <<'EOS'
#!/bin/bash
name=- previous=
for argument; do
    [[ $previous == --crate-name ]] && name=$argument
    previous=$argument
done
TIMEFORMAT="$name %U %S"
{ time "$@" 2>&3; } 3>&2 2>> "$BUILD_TIME_LOG"
EOS
chmod +x "$work/rustc"
echo 'fn main() { println!("{}", <tensor_layout::tiled!(bf16[1000,384]{1,0:T(8,128)(2,1)})>::LEN); }' > "$work/user/src/main.rs"

# Builds the program with the version in directory $1 and the features $2; $3 is the log.
build() {
    cp "$1/Cargo.lock" "$work/user/Cargo.lock"
    printf '%s\n' '[package]' 'name = "user"' 'edition = "2024"' '[workspace]' '[dependencies]' \
        "tensor-layout = { path = \"$1\"$2 }" > "$work/user/Cargo.toml"
    rm -rf "$work/target"
    (cd "$work/user" && RUSTC_WRAPPER=$work/rustc BUILD_TIME_LOG=$3 cargo build --quiet --offline --target-dir "$work/target")
}

# Prints the log with the fewest seconds of those whose names begin with $1.
report() {
    local log seconds fewest='' best
    for log in "$1".*; do
        seconds=$(awk '{ sum += $2 + $3 } END { printf "%.0f", 1000 * sum }' "$log")
        if [[ -z $fewest || $seconds -lt $fewest ]]; then best=$log fewest=$seconds; fi
    done
    awk '
        { all += $2 + $3 }
        $1 != "-" { builds[$1] = builds[$1] sprintf(" %.1f", $2 + $3); sum[$1] += $2 + $3 }
        END { for (name in sum) printf "%6.1f  %s:%s\n", sum[name], name, builds[name]; printf "%6.1f  all crates\n", all }
    ' "$best" | sort -rn | head -n 12
}

# Each a version and its features.
versions=() features=()
for directory in "$@" "$here"; do
    directory=$(cd "$directory" && pwd)
    versions+=("$directory") features+=("")
    if grep -q '^sharding = ' "$directory/Cargo.toml"; then
        versions+=("$directory") features+=(', default-features = false, features = ["std"]')
    fi
done
rm -f "$work"/log.*
for turn in 1 2 3; do
    for i in "${!versions[@]}"; do build "${versions[i]}" "${features[i]}" "$work/log.$i.$turn"; done
done
for i in "${!versions[@]}"; do
    echo "${versions[i]}${features[i]}"
    report "$work/log.$i"
done
