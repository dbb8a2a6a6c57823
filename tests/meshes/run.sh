#!/usr/bin/env bash
# Drops meshes of make.py on the floor as `verve run mine.obj` does, and looks whether all of the skin is there and has found
# back to its shape; with a second argument that ends in /, pictures of four frames of each are left there.
#   tests/meshes/run.sh PROGRAM [FOLDER/] [NAME...]      all fourteen take seven minutes of CPU
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
program=$(realpath "$1")
shift
pictures=
case "${1:-}" in */) pictures=$(mkdir -p "$1" && realpath "$1"); shift ;; esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
/usr/bin/python3 "$here/make.py" meshes "$@"
TIMEFORMAT='%U s of CPU'
for mesh in meshes/*.obj; do
  name=$(basename "$mesh" .obj)
  { time "$program" run "$mesh" --out "$name" >"$name.log" 2>&1; } 2>"$name.time" || { cat "$name.log"; exit 1; }
  "$program" convert "$name/$name.0001.bgeo.sc" first.obj 2>/dev/null
  "$program" convert "$name/$name.0072.bgeo.sc" last.obj 2>/dev/null
  if [ -n "$pictures" ]; then
    "$program" view "$name" --png "$pictures/$name.png" --frame 1 --frame 16 --frame 24 --frame 72 --width 300 >/dev/null
  fi
  echo "$name: $(/usr/bin/python3 "$here/compare.py" "$mesh" first.obj last.obj), $(tail -1 "$name.time")"
done
