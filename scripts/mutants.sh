#!/usr/bin/env bash
# Breaks the reducer in one place at a time and counts the mutants that no test of the core notices.
#
#   scripts/mutants.sh                      all of src/reducer
#   scripts/mutants.sh --file 'req*.rs'     only these files below src/reducer; may be given again
#   scripts/mutants.sh --shard 0/19         only every 19th mutant, from the first on
#   scripts/mutants.sh --list               only says which there are
#
# Fails if less than 95 % are noticed, or if a mutant survives that tests/MUTANTS.md does not list;
# over everything, also if that page lists one that is noticed. What each test said stands in
# target/mutants/mutants.out/log. Mutants are not part of scripts/test.sh: each is built and tested
# anew, which takes some seconds.
set -Eeuo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
exec </dev/null

# One that is installed elsewhere may be of another version, and make other mutants.
readonly VERSION=27.1.0
readonly TOOLS=$PWD/target/tools
readonly OUTPUT=target/mutants
readonly LISTED=tests/MUTANTS.md
readonly CAUGHT_PERCENT_MIN=95
readonly JOBS=2
# A test that takes five times as long as without a mutant hangs, but no test is blamed for less
# than this on a busy machine.
readonly TEST_SECONDS_MIN=40
# Tests of the core that know the reducer. One that is not there is left out.
readonly TESTS=(scenarios reducer properties)

# Snapshots are compared, never written, and every run is the same run. Long random walks look for
# mistakes that nobody has thought of; what is broken on purpose, a short one finds. Set
# PROPTEST_CASES to try harder.
export CI=true INSTA_UPDATE=no CARGO_TERM_COLOR=never LC_ALL=C
export PROPTEST_CASES=${PROPTEST_CASES:-32} PROPTEST_RNG_SEED=${PROPTEST_RNG_SEED:-1}
# Each job builds in a folder of its own.
unset CARGO_TARGET_DIR

files=()
shard=()
is_list=false

main() {
  read_arguments "$@"
  if ((${#files[@]} + ${#shard[@]} == 0)); then local is_all=true; else local is_all=false; fi
  if ((${#files[@]} == 0)); then files=(--file 'src/reducer/**'); fi
  install
  export PATH=$TOOLS/bin:$PATH
  if [[ $is_list == true ]]; then
    exec cargo mutants --list --no-config "${files[@]}" "${shard[@]}"
  fi
  run
  judge "$is_all"
}

read_arguments() {
  while (($# > 0)); do
    case $1 in
      --file) files+=(--file "src/reducer/${2:?"--file needs a pattern"}") && shift 2 ;;
      --shard) shard=(--sharding round-robin --shard "${2:?"--shard needs i/n"}") && shift 2 ;;
      --list) is_list=true && shift ;;
      *)
        sed -n '4,7s/^# *//p' "$0" >&2
        exit 2
        ;;
    esac
  done
}

install() {
  if [[ -x $TOOLS/bin/cargo-mutants ]] &&
    [[ $("$TOOLS/bin/cargo-mutants" mutants --version) == *" $VERSION" ]]; then return; fi
  echo "installs cargo-mutants $VERSION into target/tools"
  cargo install cargo-mutants --quiet --locked --version "$VERSION" --root "$TOOLS"
}

run() {
  local chosen=() test code=0
  for test in "${TESTS[@]}"; do
    if [[ -e tests/$test.rs || -e tests/$test/main.rs ]]; then chosen+=(--test "$test"); fi
  done
  rm -rf "$OUTPUT"
  mkdir -p "$OUTPUT"
  # `--no-config`: nothing is left out that is not counted here.
  cargo mutants --no-config --no-default-features --profile mutants --jobs "$JOBS" \
    --minimum-test-timeout "$TEST_SECONDS_MIN" --output "$OUTPUT" --colors never \
    "${files[@]}" "${shard[@]}" -- "${chosen[@]}" || code=$?
  # 2: some were missed; 3: some ran out of time. Everything else is no answer.
  if ((code != 0 && code != 2 && code != 3)); then
    echo "mutants: cargo mutants ended with code $code; see $OUTPUT/mutants.out/log" >&2
    exit 1
  fi
}

judge() {
  local is_all=$1 found=$OUTPUT/mutants.out
  local caught timeout missed unviable listed code=0
  caught=$(wc -l <"$found/caught.txt")
  timeout=$(wc -l <"$found/timeout.txt")
  missed=$(wc -l <"$found/missed.txt")
  unviable=$(wc -l <"$found/unviable.txt")
  # A test that hangs is a test that fails.
  local noticed=$((caught + timeout)) viable=$((caught + timeout + missed))
  if ((viable == 0)); then
    echo 'mutants: there were none' >&2
    exit 1
  fi
  names_of "$found/missed.txt" >"$OUTPUT/missed"
  listed_names >"$OUTPUT/listed"
  listed=$(comm -12 "$OUTPUT/missed" "$OUTPUT/listed" | wc -l)
  comm -23 "$OUTPUT/missed" "$OUTPUT/listed" >"$OUTPUT/unlisted"
  comm -13 "$OUTPUT/missed" "$OUTPUT/listed" >"$OUTPUT/stale"
  if [[ -s $OUTPUT/unlisted ]]; then
    echo "no test notices these; test them, or list them in $LISTED with the reason:"
    sed 's/.*/- `&`: /' "$OUTPUT/unlisted"
    code=1
  fi
  # A part of the mutants says nothing about the others.
  if [[ $is_all == true && -s $OUTPUT/stale ]]; then
    echo "listed in $LISTED, but noticed or gone:"
    sed 's/^/- /' "$OUTPUT/stale"
    code=1
  fi
  if ((noticed * 100 < viable * CAUGHT_PERCENT_MIN)); then
    echo "less than $CAUGHT_PERCENT_MIN % were caught"
    code=1
  fi
  echo "$timeout of those that were caught ran out of time; $unviable more cannot be built"
  local tenths=$((noticed * 1000 / viable))
  echo "mutants: caught $noticed of $viable viable ($((tenths / 10)).$((tenths % 10)) %), $listed listed with reasons"
  exit "$code"
}

# Names without the place in the file, which changes with every line above it. Two of one name are
# two lines, here and in the list.
names_of() { sed -E 's/^([^:]+):[0-9]+:[0-9]+:/\1:/' "$1" | sort; }

listed_names() {
  if [[ ! -e $LISTED ]]; then return; fi
  if grep -nE '^- ' "$LISTED" | grep -vE '^[0-9]+:- `[^`]+`: .{10,}'; then
    echo "mutants: write - \`name\`: why, with a reason, in $LISTED" >&2
    exit 1
  fi
  sed -nE 's/^- `([^`]+)`: .*/\1/p' "$LISTED" | sort
}

main "$@"
