#!/usr/bin/env bash
# Fuzzes the SQL proof with libFuzzer, on the stable compiler and without cargo-fuzz: each target for so
# many runs, beginning with the statements of the corpus. Fails on any finding.
#
#   scripts/fuzz.sh                        what scripts/test.sh does: half a minute after the build
#   scripts/fuzz.sh 2000000                each target for two million runs
#   scripts/fuzz.sh 2000000 verify_bytes   one target
#
# SEED=7 takes other random numbers. What is found is kept in fuzz/artifacts. It becomes a line of tests/sql,
# with what should have happened.
set -Eeuo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."

readonly RUNS=${1:-}
readonly ONLY=${2:-}
readonly TARGET_DIR=${CARGO_TARGET_DIR:-target}/fuzz
readonly CORPUS=$TARGET_DIR/corpus

# target, runs in scripts/test.sh, longest input in bytes. For the grammar, bytes are choices.
readonly TARGETS=('verify_bytes 60000 512' 'verify_grammar 20000 160')

# libFuzzer's own instrumentation, without the sanitizers that need the nightly compiler: the program has no
# unsafe code that they could watch.
readonly FLAGS=(
  -Cpasses=sancov-module
  -Cllvm-args=-sanitizer-coverage-level=3
  -Cllvm-args=-sanitizer-coverage-inline-8bit-counters
  -Cllvm-args=-sanitizer-coverage-pc-table
  --cfg fuzzing
)

main() {
  local host
  host=$(rustc -vV | sed -n 's/^host: //p')
  # With a target named, programs that only run during the build are left as they are.
  CARGO_TARGET_DIR=$TARGET_DIR RUSTFLAGS="${FLAGS[*]}" \
    cargo build --locked --release --manifest-path fuzz/Cargo.toml --target "$host"
  local target runs longest code=0
  for line in "${TARGETS[@]}"; do
    read -r target runs longest <<<"$line"
    if [[ -n $ONLY && $ONLY != "$target" ]]; then continue; fi
    fuzz "$TARGET_DIR/$host/release/$target" "$target" "${RUNS:-$runs}" "$longest" || code=1
  done
  return "$code"
}

# fuzz PROGRAM TARGET RUNS LONGEST: one line of words, and on a finding what libFuzzer said.
fuzz() {
  local program=$1 target=$2 runs=$3 longest=$4
  local log=$CORPUS/$target.log code=0
  # The same seeds and the same random numbers each time: what is found once is found again.
  rm -rf "${CORPUS:?}/$target"
  mkdir -p "$CORPUS/$target" fuzz/artifacts
  if [[ $target == verify_bytes ]]; then seeds "$CORPUS/$target"; fi
  "$program" -runs="$runs" -max_len="$longest" -len_control=0 -seed="${SEED:-1}" \
    -timeout=5 -rss_limit_mb=1024 -artifact_prefix="fuzz/artifacts/$target-" \
    "$CORPUS/$target" >"$log" 2>&1 || code=$?
  local executed made
  executed=$(sed -nE 's/^Done ([0-9]+) runs.*/\1/p' "$log")
  made=$(grep -aE '^made ' "$log" | tail -n 1 || true)
  if ((code != 0)) || [[ -z $executed ]] || ((executed < runs)); then
    echo "test fuzz::$target ... FAILED, from $log:"
    grep -avE '^#[0-9]+[[:space:]]' "$log" | tail -n 60
    return 1
  fi
  # A grammar whose statements are all refused would find nothing.
  if [[ $target == verify_grammar && ! $made =~ ' '[1-9][0-9]*' reads and '[1-9][0-9]*' writes accepted'.*' '[1-9][0-9]*' forbidden' ]]; then
    echo "test fuzz::$target ... FAILED, not every kind of statement was made: $made"
    return 1
  fi
  echo "test fuzz::$target ... ok"
  echo "say: $target: $executed executions without a finding${made:+ ($made)}"
}

# Each statement of the corpus is a file.
seeds() {
  python3 - "$1" tests/sql/*/*{accept,refuse}.jsonl <<'PYTHON'
import hashlib, json, pathlib, sys
folder = pathlib.Path(sys.argv[1])
for path in sys.argv[2:]:
    for line in open(path, encoding="ascii"):
        text = json.loads(line)["sql"].encode("utf-8", "surrogatepass")
        (folder / hashlib.sha256(text).hexdigest()[:16]).write_bytes(text)
PYTHON
}

main
