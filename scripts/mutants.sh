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
# target/mutants/found-*/mutants.out/log. Mutants are not part of scripts/test.sh: each is built and tested
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
# Each has its own copy of the sources, and builds and tests one mutant at a time.
readonly WORKERS=2
# A test that takes five times as long as without a mutant hangs, but no test is blamed for less
# than this on a busy machine.
readonly TEST_SECONDS_MIN=30
# Each mutant is first shown to what takes seconds, of the stories their transcripts alone, and only those
# that nothing there notices to the long histories and to all that is asked of the stories.
readonly FIRST_TESTS=(--test=edges --test=invariants --test=scenarios --test=view)
readonly SECOND_TESTS=(--test=properties --test=scenarios)

# Snapshots are compared, never written, and every run is the same run.
export CI=true INSTA_UPDATE=no CARGO_TERM_COLOR=never LC_ALL=C
export PROPTEST_RNG_SEED=${PROPTEST_RNG_SEED:-1}
# Each worker builds in a folder of its own.
unset CARGO_TARGET_DIR

files=()
shard=0
shards=1
is_list=false

main() {
  read_arguments "$@"
  local is_all=false
  if ((${#files[@]} == 0 && shards == 1)); then is_all=true; fi
  if ((${#files[@]} == 0)); then files=(--file 'src/reducer/**'); fi
  install
  export PATH=$TOOLS/bin:$PATH
  if [[ $is_list == true ]]; then
    exec cargo mutants --list --no-config "${files[@]}" --sharding round-robin --shard "$shard/$shards"
  fi
  run
  judge "$is_all"
}

read_arguments() {
  while (($# > 0)); do
    case $1 in
      --file)
        if [[ -z ${2-} ]]; then usage; fi
        files+=(--file "src/reducer/$2")
        shift 2
        ;;
      --shard)
        if [[ ! ${2-} =~ ^([0-9]{1,3})/([1-9][0-9]{0,2})$ ]]; then usage; fi
        shard=$((10#${BASH_REMATCH[1]})) shards=$((10#${BASH_REMATCH[2]}))
        if ((shard >= shards)); then usage; fi
        shift 2
        ;;
      --list)
        is_list=true
        shift
        ;;
      *) usage ;;
    esac
  done
}

usage() {
  sed -n '4,7s/^#  *//p' "$0" >&2
  exit 2
}

install() {
  if [[ -x $TOOLS/bin/cargo-mutants ]] &&
    [[ $("$TOOLS/bin/cargo-mutants" mutants --version) == *" $VERSION" ]]; then return; fi
  echo "installs cargo-mutants $VERSION into target/tools"
  cargo install cargo-mutants --quiet --locked --version "$VERSION" --root "$TOOLS"
}

run() {
  local worker
  rm -rf "$OUTPUT"/found-* "$OUTPUT"/second-*
  for ((worker = 0; worker < WORKERS; worker++)); do prepare "$OUTPUT/tree-$worker"; done
  together first
  found missed >"$OUTPUT/missed-by-transcripts"
  if [[ -s $OUTPUT/missed-by-transcripts ]]; then together second; fi
}

# One phase, by all workers at once.
together() {
  local worker code workers=() is_answered=true
  for ((worker = 0; worker < WORKERS; worker++)); do
    "$1" "$worker" &
    workers+=("$!")
  done
  for worker in "${workers[@]}"; do
    code=0
    wait "$worker" || code=$?
    # 2: some were missed; 3: some ran out of time. Everything else is no answer.
    if ((code != 0 && code != 2 && code != 3)); then is_answered=false; fi
  done
  if [[ $is_answered == false ]]; then
    echo "mutants: not everything was tried; see $OUTPUT/found-*/mutants.out/log" >&2
    exit 1
  fi
}

# A copy of the sources as they are now. What is built there is kept for the next run, but every
# source is new to cargo: a run that was ended may have left a mutant behind.
prepare() {
  local tree=$1
  mkdir -p "$tree"
  find "$tree" -mindepth 1 -maxdepth 1 ! -name target -exec rm -rf {} +
  git ls-files --cached --others --exclude-standard --deduplicate -z |
    while IFS= read -r -d '' file; do if [[ -e $file ]]; then printf '%s\0' "$file"; fi; done |
    tar --create --null --files-from=- | tar --extract --touch --directory "$tree"
  if [[ ! -d $tree/target && -d $OUTPUT/tree-0/target ]]; then
    cp -a "$OUTPUT/tree-0/target" "$tree/target"
  fi
  (cd "$tree" && cargo test --quiet --no-default-features --profile mutants "${FIRST_TESTS[@]}" "${SECOND_TESTS[@]}" --no-run)
}

# The share of one worker: of all mutants in their order, every (shards × WORKERS)th.
first() {
  DBEAST_ONLY_TRANSCRIPTS=1 mutate "$1" "found-$1" "${FIRST_TESTS[@]/#/--cargo-arg=}" "${files[@]}" \
    --sharding round-robin --shard "$((shard + $1 * shards))/$((shards * WORKERS))"
}

# Of those that the first phase missed, every WORKERS-th, by its whole name.
second() {
  local name names=()
  while IFS= read -r name; do names+=(--re "^$(sed 's/[^A-Za-z0-9_ :/<>]/\\&/g' <<<"$name")\$"); done < <(
    awk -v worker="$1" -v workers="$WORKERS" 'NR % workers == worker' "$OUTPUT/missed-by-transcripts"
  )
  if ((${#names[@]} == 0)); then return; fi
  mutate "$1" "second-$1" "${SECOND_TESTS[@]/#/--cargo-arg=}" "${files[@]}" "${names[@]}"
}

# Breaks and tests. `--no-config`: nothing is left out that is not counted here.
mutate() {
  local worker=$1 folder=$OUTPUT/$2
  shift 2
  rm -rf "$folder" && mkdir -p "$folder"
  cargo mutants --no-config --in-place --dir "$OUTPUT/tree-$worker" --output "$folder" \
    --no-default-features --profile mutants --minimum-test-timeout "$TEST_SECONDS_MIN" \
    --colors never "$@"
}

# All workers' mutants of one kind, after the first phase and after the second.
found() { of_phase found "$1"; }

# Without those that nobody asked for again: fields that are left out are tried whatever the names say.
found_at_last() {
  of_phase second "$1" | grep --fixed-strings --line-regexp --file="$OUTPUT/missed-by-transcripts" || true
}

of_phase() {
  local file
  for file in "$OUTPUT/$1"-*/mutants.out/"$2".txt; do
    if [[ -e $file ]]; then cat "$file"; fi
  done
}

judge() {
  local is_all=$1 caught timeout missed unviable listed code=0
  caught=$(cat <(found caught) <(found_at_last caught) | wc -l)
  timeout=$(cat <(found timeout) <(found_at_last timeout) | wc -l)
  missed=$(found_at_last missed | wc -l)
  if ((missed + $(found_at_last caught | wc -l) + $(found_at_last timeout | wc -l) != $(wc -l <"$OUTPUT/missed-by-transcripts"))); then
    echo 'mutants: the second phase did not try what the first one missed' >&2
    exit 1
  fi
  unviable=$(found unviable | wc -l)
  # A test that hangs is a test that fails.
  local noticed=$((caught + timeout)) viable=$((caught + timeout + missed))
  if ((viable == 0)); then
    echo 'mutants: there were none' >&2
    exit 1
  fi
  found_at_last missed | names_of >"$OUTPUT/missed"
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
names_of() { sed -E 's/^([^:]+):[0-9]+:[0-9]+:/\1:/' | sort; }

listed_names() {
  if [[ ! -e $LISTED ]]; then return; fi
  if grep -nE '^- ' "$LISTED" | grep -vE '^[0-9]+:- `[^`]+`: .{10,}'; then
    echo "mutants: write - \`name\`: why, with a reason, in $LISTED" >&2
    exit 1
  fi
  sed -nE 's/^- `([^`]+)`: .*/\1/p' "$LISTED" | sort
}

main "$@"
