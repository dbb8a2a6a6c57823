#!/usr/bin/env bash
# Builds and installs the Houdini plugin as an artist would, with the stand-in for the HDK as $HFS (or a real $HFS), and
# looks at the tree that is left. That compiles the core a second time, which takes minutes.
#   tests/plugin/package.sh [BUILD]
#   tests/plugin/package.sh --without-plugin [BUILD]    the tree alone: help, assets, shelf, icons and the package file
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
export HFS=${HFS:-$root/tests/plugin/hfs}
plugin=yes
if [ "${1:-}" = --without-plugin ]; then plugin=no; shift; fi
build=${1:-$root/build/houdini}

fail() { echo "package: $1" >&2; exit 1; }
cd "$root"
cmake --preset houdini -B "$build" >/dev/null
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
if [ $plugin = yes ]; then
  cmake --build "$build" -- --quiet
  cmake --install "$build" --prefix "$tree" >/dev/null
else
  cmake --build "$build" --target verve_help_cards -- --quiet
  cmake --install "$build" --prefix "$tree" --component tree >/dev/null
fi

for file in help/nodes/sop/verve--solver.txt help/nodes/dop/verve_solver.txt toolbar/verve.shelf \
            config/Icons/verve_solver.svg config/Icons/DOP_verve_solver.svg otls/verve.hda/Sections.list; do
  [ -s "$tree/verve/$file" ] || fail "verve/$file is missing"
done
[ -s "$tree/packages/verve.json" ] || fail "packages/verve.json is missing"
# The package names the folder that has them, relative to itself.
python3 - "$tree" <<'END' || fail "packages/verve.json does not lead to the tree"
import json, os, sys
tree = sys.argv[1]
package = json.load(open(tree + "/packages/verve.json"))
paths = {name: value for entry in package["env"] for name, value in entry.items()}
folder = paths["VERVE"].replace("$HOUDINI_PACKAGE_PATH", tree + "/packages")
# One release only: the plugin's binary interface is that of the HDK it was compiled against.
import re
bounds = re.fullmatch(r"houdini_version >= '(\d+)\.(\d+)' and houdini_version < '(\d+)\.(\d+)'", package["enable"])
assert bounds, package["enable"]
low, high = tuple(map(int, bounds.groups()[:2])), tuple(map(int, bounds.groups()[2:]))
assert high == (low[0], low[1] + 1) and low[0] >= 19, package["enable"]
assert package["hpath"] == "$VERVE" and os.path.isdir(folder + "/otls")
END
files=$(find "$tree" -type f | wc -l)
if [ $plugin = no ]; then
  echo "package: $files files without the plugin"
  exit
fi

module=$tree/verve/dso/SOP_Verve.so
[ -s "$module" ] || fail "verve/dso/SOP_Verve.so is missing"
cmake -DNM="$(command -v nm)" -DMODULE="$module" -P tests/plugin/exports.cmake
cmake -DMODULE="$module" -P tests/plugin/needs.cmake
! nm -D --defined-only "$module" | grep -q Eigen || fail "Eigen can be seen from outside"
# Whatever it needs, directly or not, has to be free of the GPL: none of the tet meshers, CHOLMOD or FFTW.
libraries=$(ldd "$module")
! grep -q 'not found' <<<"$libraries" || fail "the plugin needs libraries that are not there: $libraries"
! grep -iE 'tetgen|gmsh|cgal|cholmod|suitesparse|fftw|gsl|readline' <<<"$libraries" || fail "the plugin links GPL code"
echo "package: $files files, $(stat -c %s "$module") bytes of plugin; it exports its entry points only and needs" \
     "$(awk '{print $1}' <<<"$libraries" | grep -v linux-vdso | xargs -n1 basename | tr '\n' ' ')"
