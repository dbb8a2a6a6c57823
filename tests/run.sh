#!/usr/bin/env bash
# Installs what is missing, builds, and runs all tests. With --clients also those that open our files in real programs.
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

clients=no
for word in "$@"; do
  case "$word" in
    --clients) clients=yes ;;
    *) echo "tests/run.sh: unknown option '$word'; the only one is --clients" >&2; exit 2 ;;
  esac
done
export VERVE_CLIENTS=$clients

build
cd "$root"
ctest --preset release -j "$(nproc)"
