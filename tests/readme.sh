#!/usr/bin/env bash
# readme.sh PROGRAM: types the README's "Using it" block in order, in a folder that holds what a clean clone and a build do;
# and looks whether links of all pages lead somewhere and the README is short.
set -euo pipefail
program=$(realpath "$1")
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cd "$root"
lines=$(wc -l <README.md)
[ "$lines" -le 250 ] || { echo "README.md has $lines lines; 250 are allowed"; exit 1; }
for page in README.md solver/README.md solver/parameters/README.md tests/bench/README.md plugin/README.md examples/README.md; do
  for link in $(grep -oE '\]\([^)#]+' "$page" | sed 's/^](//' || true); do
    [[ $link == http* || -e $(dirname "$page")/$link ]] || { echo "$page: $link is not there"; exit 1; }
  done
done

cp -r examples "$work/"
mkdir -p "$work/build/release"
ln -s "$program" "$work/build/release/verve"
awk '/^## Using it/ { here = 1 } here && /^```/ { if (++fence == 2) exit; next } fence == 1' README.md >"$work/typed"
[ "$(grep -c '^verve ' "$work/typed")" -ge 10 ] || { echo "README.md: the block of commands was not found"; exit 1; }
cd "$work"
if { "$program" view no-such-run 2>&1 || true; } | grep -q 'built without its page'; then
  sed -i '/^verve view out\/drop  /d' typed  # no node and npm: no page
fi
bash -euo pipefail -x typed >log 2>&1 || { cat log; echo "a command of the README failed"; exit 1; }
for file in out/drop/drop.0001.bgeo.sc out/drop/report.csv out/drop.png out/wedge/wedges.csv out/star.msh out/drop.usda; do
  [ -s "$file" ] || { cat log; echo "the README's commands left no $file"; exit 1; }
done
echo "all $(grep -c '^verve ' typed) commands work"
