#!/usr/bin/env bash
# Checks and tests everything, from a clean checkout on Debian with Rust and Node.js on it: installs
# what is missing and says so, goes on after a step that failed, and counts in its last line.
#
# What each step said stands in target/test-logs. A second run installs nothing.
set -Eeuo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
exec </dev/null

# No colours and no progress bars in logs; snapshots are compared, never written.
unset FORCE_COLOR
export CI=true NO_COLOR=1 CARGO_TERM_COLOR=never CARGO_TERM_PROGRESS_WHEN=never
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_INPUT=1

readonly PACKAGES=(
  chromium dbus debian-archive-keyring g++ gnome-keyring libclang-dev libglib2.0-bin mariadb-server-core openssl
  postgresql postgresql-contrib postgresql-postgis python3-venv
)
# Longer than any step takes on two cores, builds included; a step that hangs is a failure.
readonly STEP_SECONDS_MAX=1500
readonly LOGS="${CARGO_TARGET_DIR:-target}/test-logs"
# What was installed from a lock file: a copy of it. build.rs uses the same name.
readonly STAMP=.dbeast-installed-lock

passed=0
failed=0
skipped=0
skip_reasons=()
is_finished=false

main() {
  mkdir -p "$LOGS"
  # A step of other tests, which run it themselves, is none; what only an optimised build does has a step of
  # its own (model). Tests that start programs as another user need the administrator; for anybody else
  # they are skipped, and said to be.
  local chosen=(--skip keychain::step --skip optimised::)
  if ((EUID == 0)); then chosen+=(--include-ignored); fi
  step packages          none   install_packages
  step mysql-root        skips  make_mysql_root
  step python-packages   none   install_python_packages
  step ui-packages       none   install_node_packages ui
  step e2e-packages      none   install_node_packages tests/e2e
  if [[ ! -e ${CARGO_TARGET_DIR:-target}/mysql-root ]]; then chosen+=(--skip on_mysql::); fi
  step format            none   cargo fmt --check
  step lints             none   limited cargo clippy --locked --all-targets -- -D warnings
  step core-lints        none   limited cargo clippy --locked --no-default-features --all-targets -- -D warnings
  step build             none   limited cargo build --locked
  step rust-tests        cargo  limited cargo test --locked --no-fail-fast --all-targets -- "${chosen[@]}"
  step model             cargo  limited cargo test --locked --no-default-features --profile model --test model \
    -- --nocapture optimised::
  # A package of its own: it needs a C compiler and libclang, which no build of DBeast does.
  step opinions          cargo  limited cargo test --locked --no-fail-fast --manifest-path tests/opinions/Cargo.toml \
    --target-dir "${CARGO_TARGET_DIR:-target}" -- --nocapture
  step fuzz              fuzz   limited scripts/fuzz.sh
  step rust-doc-tests    docs   limited cargo test --locked --no-fail-fast --doc
  step ui-types          none   limited npm --prefix ui run --silent check
  step ui-tests          vitest limited npm --prefix ui test --silent -- \
    --reporter=default --reporter=json --outputFile.json="$PWD/$LOGS/ui-tests.json"
  step end-to-end        node   limited node --test --test-timeout=120000 \
    --test-reporter=spec --test-reporter-destination=stdout \
    --test-reporter=tap --test-reporter-destination="$LOGS/end-to-end.tap" \
    tests/e2e/*.test.mjs
  finish
}

# step NAME COUNTER COMMAND...: runs the command into a log, then counts what it tested.
step() {
  local name=$1 counter=$2 log="$LOGS/$1.log" started=$SECONDS code=0
  shift 2
  printf '%-16s ' "$name"
  # A count of an earlier run must not be taken for this one's.
  rm -f "$LOGS/$name".{log,json,tap}
  "$@" >"$log" 2>&1 || code=$?
  local counts=(0 0 0)
  if [[ $counter != none ]]; then
    read -ra counts <<<"$("count_$counter" "$log" || echo '0 0 0')"
    if ((counts[0] + counts[1] == 0)) && [[ $counter != docs && $counter != skips ]]; then
      echo "No test was run." >>"$log"
      code=${code/#0/1}
    fi
  fi
  # A step that fails without a failed test (a build, a lint, a crash) counts as one.
  if ((code != 0 && counts[1] == 0)); then counts[1]=1; fi
  ((passed += counts[0], failed += counts[1], skipped += counts[2])) || true
  report "$name" "$counter" "$code" $((SECONDS - started)) "${counts[@]}"
}

report() {
  local name=$1 counter=$2 code=$3 seconds=$4 good=$5 bad=$6 left=$7 words=ok
  if ((bad > 0)); then words=FAILED; fi
  if [[ $counter != none ]]; then words+=", $good passed, $bad failed"; fi
  if ((left > 0)); then words+=", $left skipped"; fi
  printf '%4d s  %s\n' "$seconds" "$words"
  sed -nE 's/^(say|ℹ measured): /                 /p' "$LOGS/$name.log"
  if ((left > 0)); then collect_skip_reasons "$name"; fi
  if ((bad > 0)); then
    echo "--- $name ended with code $code; from $LOGS/$name.log:"
    excerpt "$LOGS/$name.log"
    echo '---'
  fi
}

# What a person needs of a log: the failures of Rust tests, which stand between those of other test
# programs; of everything else the beginning, where builds fail, and the end, where tests say why.
excerpt() {
  local failures text
  failures=$(sed -n '/^failures:$/,/^test result: FAILED/p' "$1" | head -n 200)
  if [[ -n $failures ]]; then
    printf '%s\n' "$failures"
    return
  fi
  text=$(grep -vE '^ +(Blocking|Checking|Compiling|Downloaded|Downloading|Locking|Updating) ' "$1" || true)
  if (($(wc -l <<<"$text") <= 120)); then
    printf '%s\n' "$text"
  else
    head -n 40 <<<"$text"
    echo '[...]'
    tail -n 80 <<<"$text"
  fi
}

limited() { timeout --foreground --kill-after=20 "$STEP_SECONDS_MAX" "$@"; }

# Counters print "passed failed skipped".

count_cargo() {
  awk '/^test result: / { good += $4; bad += $6; left += $8 } END { print good + 0, bad + 0, left + 0 }' "$1"
}

count_fuzz() {
  awk '/^test fuzz::.* ok$/ { good += 1 } /^test fuzz::.* FAILED/ { bad += 1 } END { print good + 0, bad + 0, 0 }' "$1"
}

# There may be none: most examples are tests.
count_docs() { count_cargo "$1"; }

# A step that tests nothing itself and says which tests others will leave out.
count_skips() { echo 0 0 "$(grep -c '^# SKIP ' "$1" || true)"; }

count_vitest() {
  node -e '
    const told = JSON.parse(require("node:fs").readFileSync(process.argv[1], "utf8"));
    // A file that cannot even be read has no tests that could fail.
    const broken = told.testResults.filter((file) => file.status === "failed" && file.assertionResults.length === 0);
    const left = told.numPendingTests + told.numTodoTests;
    console.log(told.numPassedTests, told.numFailedTests + broken.length, left);
  ' "${1%.log}.json"
}

count_node() {
  awk '$1 == "#" && NF == 3 && $3 ~ /^[0-9]+$/ { told[$2] = $3 }
    END { print told["pass"] + 0, told["fail"] + told["cancelled"] + 0, told["skipped"] + told["todo"] + 0 }' \
    "${1%.log}.tap"
}

collect_skip_reasons() {
  local lines
  mapfile -t lines < <(grep -hE '^test .* ignored|# (SKIP|TODO)| ↓ ' "$LOGS/$1".{log,tap} 2>/dev/null || true)
  skip_reasons+=("${lines[@]/#/"$1: "}")
}

finish() {
  is_finished=true
  local closing="$passed passed, $failed failed"
  if ((skipped > 0)); then
    echo 'Skipped:'
    printf '  %s\n' "${skip_reasons[@]}"
    closing+=", $skipped skipped"
  fi
  echo "$closing"
  ((failed == 0))
}

# Installing. Each says only what it does, with "say: " for the summary.

install_packages() {
  local package missing=()
  for package in "${PACKAGES[@]}"; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q ' installed$' || missing+=("$package")
  done
  if ((${#missing[@]} == 0)); then return; fi
  echo "say: installs the Debian packages ${missing[*]}"
  as_root apt-get update -qq &&
    as_root env DEBIAN_FRONTEND=noninteractive \
      apt-get install -y -qq --no-install-recommends "${missing[@]}"
}

as_root() { if ((EUID == 0)); then "$@"; else sudo "$@"; fi; }

# MySQL is in Debian's unstable suite only: a mirror may not have it, and then everything else still counts.
make_mysql_root() {
  local code=0
  limited bash scripts/mysql-root.sh || code=$?
  if ((code != 0)); then
    echo "# SKIP on_mysql: scripts/mysql-root.sh ended with code $code, so that there is no MySQL to test with"
  fi
}

install_python_packages() {
  local wanted=tests/e2e/requirements.txt stamp=.venv/$STAMP
  if cmp -s "$wanted" "$stamp"; then return; fi
  echo "say: installs the packages of $wanted into .venv"
  rm -rf .venv &&
    /usr/bin/python3 -m venv .venv &&
    .venv/bin/pip install --quiet --requirement "$wanted" &&
    cp "$wanted" "$stamp"
}

install_node_packages() {
  local folder=$1
  local wanted=$folder/package-lock.json stamp=$folder/node_modules/$STAMP
  if cmp -s "$wanted" "$stamp"; then return; fi
  echo "say: installs the packages of $wanted"
  env --chdir "$folder" npm ci --no-audit --no-fund && cp "$wanted" "$stamp"
}

# Whatever ends this script early, its last line says that something failed.
give_up() {
  if [[ $is_finished == false ]]; then echo "$passed passed, $((failed + 1)) failed"; fi
}
trap give_up EXIT

main
