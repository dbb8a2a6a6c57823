#!/usr/bin/env bash
# Makes the pictures of the README anew: examples/filmstrip.png, drawn by `verve view --png`, examples/energy.png, the plot
# of a page as Chromium shows it, and examples/damping.svg, a plot of examples/papers.
source "$(dirname "${BASH_SOURCE[0]}")/../tests/setup.sh"

build verve_program
install_missing chromium
install_npm_clients
cd "$root"
verve=build/release/verve
$verve run examples/drop.json --out out/drop --quiet
$verve view out/drop --png examples/filmstrip.png --width 200 --height 240 --frame 1 --frame 11 --frame 14 --frame 18 \
  --frame 27 --frame 38
$verve wedge examples/hp_avf.json --vary integrator.type=avf,hp,backward_euler --out out/hp_avf --quiet
VERVE_NPM=$npm_clients node examples/energy_picture.mjs out/hp_avf/view.html examples/energy.png
examples/papers/run.sh --quick beyond_damping
cp out/papers/beyond_damping_1.svg examples/damping.svg
ls -l examples/*.png examples/*.svg
