#!/usr/bin/env bash
# Installs the add-on's .zip into an empty profile by Blender's own command line, bakes with it, and reopens the file.
#   tests/blender/run.sh ZIP
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
if ! command -v blender >/dev/null; then
  [ "${VERVE_CLIENTS:-no}" = yes ] && { echo "Blender is not installed" >&2; exit 1; }
  echo "not run: Blender is not installed; tests/run.sh --clients installs it"
  exit 77
fi
zip=$(realpath "$1")
python3 "$here/check_package.py" "$zip"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export BLENDER_USER_CONFIG=$folder/config BLENDER_USER_SCRIPTS=$folder/scripts BLENDER_USER_DATAFILES=$folder/data
export BLENDER_USER_EXTENSIONS=$folder/extensions
mkdir -p "$BLENDER_USER_CONFIG" "$BLENDER_USER_SCRIPTS"
unset PYTHONPATH
# From 4.2 on the package is an extension, which Blender itself looks over.
version=$(blender --version | sed -n '1s/^Blender \([0-9]*\.[0-9]*\).*/\1/p')
if [ "$(printf '%s\n' 4.2 "$version" | sort -V | head -1)" = 4.2 ]; then
  { blender --command extension validate "$zip" && blender --command extension install-file -r user_default -e "$zip"; } \
    >"$folder/install.log" 2>&1 || { cat "$folder/install.log"; exit 1; }
  install=""
else
  install="
bpy.ops.preferences.addon_install(filepath='$zip')
bpy.ops.preferences.addon_enable(module='verve_blender')"
fi
blender -b --python-exit-code 1 --python-expr "
import bpy$install
bpy.context.preferences.view.show_splash = False
bpy.ops.wm.save_userpref()" >>"$folder/install.log" 2>&1 || { cat "$folder/install.log"; exit 1; }
echo "installed in Blender $version"
blender -b --python-exit-code 1 --python "$here/check_addon.py" -- "$folder"
blender -b --python-exit-code 1 --python "$here/check_kinds.py" -- "$folder"
blender -b --python-exit-code 1 --python "$here/check_scenes.py" -- "$folder"
blender -b --python-exit-code 1 --python "$here/check_artist.py" -- "$folder"
blender -b "$folder/test.blend" --python-exit-code 1 --python "$here/check_reopened.py" -- "$folder"
! blender -b --python "$here/check_crash.py" -- "$folder" begin 2>/dev/null || { echo "Blender was not killed" >&2; exit 1; }
blender -b "$folder/crash.blend" --python-exit-code 1 --python "$here/check_crash.py" -- "$folder" end
# In a window, where there can be one; its pictures can be kept.
if command -v xvfb-run >/dev/null; then
  LIBGL_ALWAYS_SOFTWARE=1 xvfb-run -a -s "-screen 0 1200x1500x24 -fbdir $folder" blender --window-geometry 0 0 1200 1500 \
    --enable-event-simulate --python "$here/check_window.py" -- "$folder" 2>&1 | tee "$folder/window.log"
  [ -z "${VERVE_PICTURES:-}" ] || cp "$folder"/*.png "$VERVE_PICTURES" || true
  grep -q "the window is well" "$folder/window.log" || exit 1
  ! grep -q 'verve_blender/[a-z]*\.py", line' "$folder/window.log" || { echo "a panel of the add-on does not draw" >&2; exit 1; }
elif [ "${VERVE_CLIENTS:-no}" = yes ]; then
  echo "xvfb-run is not installed" >&2
  exit 1
else
  echo "the bake in a window was not run: xvfb-run is not installed"
fi
# The Python module beside Blender's own libraries, where it was built.
module=$(dirname "$zip")/../python
if [ -d "$module/verve" ]; then
  blender -b --python-exit-code 1 --python-expr "
import sys
sys.path.insert(0, '$module')
import verve
ball = verve.Simulation({'bodies': [{'geometry': {'shape': 'sphere', 'radius': 0.3, 'spacing': 0.15}}]})
ball.advance()
sys.exit(0 if ball.positions[:, 1].mean() < -0.005 else 1)" >"$folder/module.log" 2>&1 || { cat "$folder/module.log"; exit 1; }
  echo "the Python module runs inside Blender"
fi
