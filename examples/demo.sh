#!/usr/bin/env bash
# Installs what is missing, builds, and drops a soft hare onto the floor, or a mesh of your own: cached, drawn, reported, and
# shown in a page.
#   examples/demo.sh [MESH.obj]
given=${1:-}
[ -z "$given" ] || given=$(realpath -- "$given")
source "$(dirname "${BASH_SOURCE[0]}")/../tests/setup.sh"

build verve_program
cd "$root"
verve=build/release/verve
name=drop
[ -z "$given" ] || name=demo
out=out/$name
$verve run "${given:-examples/drop.json}" --out "$out" --set output.name="$name" --overwrite
$verve view "$out" --png "$out/$name.png" --frame 20
page="$out/view.html (open it in a browser)"
$verve view "$out" || page="none"  # it said why
echo
echo "frames:  $out/$name.0001.bgeo.sc and on (Houdini reads them)"
echo "picture: $out/$name.png"
echo "report:  $out/report.csv (energy, momenta and iterations of every frame)"
echo "page:    $page"
