#!/usr/bin/env bash
# Every source is laid out as .clang-format says. Versions of clang-format differ: only 14, Debian 12's, is asked.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
format=$(command -v clang-format-14 || command -v clang-format || true)
if [ -z "$format" ] || ! "$format" --version | grep -q 'version 14\.'; then
  echo "not run: clang-format 14 is not installed"
  exit 77
fi
find solver plugin tests examples \( -path tests/plugin/hdk -o -name build \) -prune -o \( -name '*.h' -o -name '*.cpp' \) -print0 |
  xargs -0 "$format" --dry-run -Werror
