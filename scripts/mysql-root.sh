#!/usr/bin/env bash
# Makes the folder from which the tests run MySQL, once: target/mysql-root.
#
# Debian packages MySQL in its unstable suite only. So its server is unpacked there with every library
# that it needs, down to the C library, and nothing of it is installed. That takes about 20 seconds and
# no administrator.
set -Eeuo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
mkdir -p "${CARGO_TARGET_DIR:-target}"
ROOT=$(realpath "${CARGO_TARGET_DIR:-target}")/mysql-root
readonly ROOT
readonly PACKAGE=mysql-server-core
readonly KEYS=/usr/share/keyrings/debian-archive-keyring.gpg

main() {
  if [[ -x $ROOT/usr/sbin/mysqld ]]; then return; fi
  echo "say: unpacks $PACKAGE of Debian's unstable suite into $ROOT"
  local apt archive
  new=$(mktemp -d "$ROOT.XXXXXX")
  trap 'rm -rf -- "$new"' EXIT
  apt=$new/apt
  mkdir -p "$apt"/{lists,cache}/partial "$new/root"
  local from
  from=$(mirror)
  if [[ -z $from ]]; then
    as_root apt-get update -qq
    from=$(mirror)
  fi
  echo "deb [signed-by=$KEYS] $from unstable main" >"$apt/sources.list"
  # No package counts as installed, so that all that it needs comes from the one suite.
  touch "$apt/status"
  local options=(
    -qq
    -o "APT::Install-Recommends=false"
    -o "APT::Sandbox::User="
    -o "Acquire::Languages=none"
    -o "Dir::Cache=$apt/cache"
    -o "Dir::Etc::SourceList=$apt/sources.list"
    -o "Dir::Etc::SourceParts=/dev/null"
    -o "Dir::State=$apt"
    -o "Dir::State::Lists=$apt/lists"
    -o "Dir::State::Status=$apt/status"
    -o "Debug::NoLocking=true"
  )
  apt-get "${options[@]}" update
  apt-get "${options[@]}" --yes --download-only install "$PACKAGE"
  for archive in "$apt"/cache/archives/*.deb; do
    dpkg-deb --extract "$archive" "$new/root"
  done
  # Only what is whole gets the name.
  mv "$new/root" "$ROOT"
}

# The mirror from which this machine has its own packages.
mirror() {
  apt-get indextargets --format '$(REPO_URI)' \
    'Created-By: Packages' 'Origin: Debian' 'Label: Debian' 'Component: main' | sed -n 1p
}

as_root() { if ((EUID == 0)); then "$@"; else sudo "$@"; fi; }

main
