#!/usr/bin/env bash
# Makes the pictures of the README and its pages anew: the moving picture and the gallery below examples/pictures (drawn by
# `verve view --png`, and by pages as Chromium shows them), and examples/damping.svg, a plot of examples/papers.
source "$(dirname "${BASH_SOURCE[0]}")/../tests/setup.sh"

build verve_program
install_missing chromium
install_npm_clients
cd "$root"
verve=build/release/verve
pictures=examples/pictures
mkdir -p $pictures out/frames
export VERVE_NPM=$npm_clients

# run SCENE: into out/SCENE.
run() { $verve run "examples/$1.json" --out "out/$1" --quiet --overwrite; }

run drop
frames=()
for ((f = 1; f <= 60; f += 2)); do
  $verve view out/drop --png "out/frames/$f.png" --width 300 --height 225 --frame $f >/dev/null
  frames+=("out/frames/$f.png")
done
python3 examples/moving_picture.py $pictures/drop.png 15 "${frames[@]}"

for scene in own_mesh:14 drape:60 jelly_pile:60 airbag:14 cushion:60 fabrics:60 heap:48 twist:60 windy:60 wave:13 stitched:90 \
  sag_free:40 settle:30 grow:72 dent:40 wire:60 paper:84; do
  name=${scene%:*}
  run "$name"
  $verve view "out/$name" --png "$pictures/$name.png" --width 400 --height 300 --frame "${scene#*:}" --close
done
PYTHONPATH=build/release/python python3 examples/python/worm.py out/worm
$verve view out/worm/run --png $pictures/worm.png --width 380 --height 240 --frame 10 --frame 50 --frame 96
run twisted_bar
$verve view out/twisted_bar
node examples/page_picture.mjs out/twisted_bar/view.html $pictures/stress.png 2 stress
rm -rf out/damping out/hp_avf
$verve wedge examples/damping.json --vary damping.delta=0,0.005,0.05 --out out/damping --quiet
node examples/page_picture.mjs out/damping/view.html $pictures/damping.png 40
$verve wedge examples/hp_avf.json --vary integrator.type=avf,hp,backward_euler --out out/hp_avf --quiet
node examples/energy_picture.mjs out/hp_avf/view.html $pictures/energy.png
if command -v blender >/dev/null; then  # with the add-on in a profile of its own
  cmake --build --preset release --target verve_blender
  profile=$(mktemp -d)
  export BLENDER_USER_CONFIG=$profile/config BLENDER_USER_SCRIPTS=$profile/scripts
  mkdir -p "$BLENDER_USER_CONFIG" "$BLENDER_USER_SCRIPTS"
  blender -b --python-expr "import bpy
bpy.ops.preferences.addon_install(filepath='$root/build/release/blender/verve_blender.zip')"
  blender -b --addons verve_blender --python examples/blender/monkey.py -- out/blender 40
  cp out/blender/monkey.0040.png $pictures/blender.png
  rm -rf "$profile"
fi
examples/papers/run.sh --quick beyond_damping
cp out/papers/beyond_damping_1.svg examples/damping.svg
python3 examples/bounce_picture.py examples/bounce.svg
ls -l $pictures examples/*.svg
