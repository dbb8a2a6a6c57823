#!/usr/bin/env bash
# Installs what is missing, builds, and drops a soft hare onto the floor: cached, drawn and reported.
source "$(dirname "${BASH_SOURCE[0]}")/../tests/setup.sh"

build verve_program
cd "$root"
verve=build/release/verve
out=out/drop
$verve run examples/drop.json --out $out
$verve view $out --png $out/drop.png --frame 20
echo
echo "frames:  $out/drop.0001.bgeo.sc to drop.0060.bgeo.sc (Houdini reads them)"
echo "picture: $out/drop.png"
echo "report:  $out/report.csv (energy, momenta and iterations of every frame)"
