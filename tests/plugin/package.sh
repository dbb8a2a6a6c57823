#!/usr/bin/env bash
# Builds and installs the Houdini plugin as an artist would, with the stand-in for the HDK as $HFS (or a real $HFS), and
# looks at the tree that is left. That compiles the core a second time, which takes minutes.
#   tests/plugin/package.sh [BUILD]
#   tests/plugin/package.sh --without-plugin [BUILD]    the tree alone: help, assets, shelf, icons and the package file
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
export HFS=${HFS:-$root/tests/plugin/hfs}
whole=yes
if [ "${1:-}" = --without-plugin ]; then whole=no; shift; fi
build=${1:-$root/build/houdini}

fail() { echo "package: $1" >&2; exit 1; }
cd "$root"
cmake --preset houdini -B "$build" >/dev/null
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
if [ $whole = yes ]; then
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
if [ $whole = no ]; then
  echo "package: $files files without the plugin"
  exit
fi

loader=$tree/verve/dso/SOP_Verve.so
plugin=$tree/verve/lib/libverve_houdini.so
for module in "$loader" "$plugin"; do
  [ -s "$module" ] || fail "${module#"$tree"/} is missing"
  cmake -DMODULE="$module" -P tests/plugin/needs.cmake
  # Whatever it needs, directly or not, has to be free of the GPL: none of the tet meshers, CHOLMOD or FFTW.
  libraries=$(ldd "$module")
  ! grep -q 'not found' <<<"$libraries" || fail "the plugin needs libraries that are not there: $libraries"
  ! grep -iE 'tetgen|gmsh|cgal|cholmod|suitesparse|fftw|gsl|readline' <<<"$libraries" || fail "the plugin links GPL code"
done
nm=$(command -v nm)
cmake -DNM="$nm" -DMODULE="$loader" "-DNAMES=initializeSIM;newSopOperator" -P tests/plugin/exports.cmake
cmake -DNM="$nm" -DMODULE="$plugin" "-DNAMES=verve_initialize_sim;verve_new_sop_operator" -P tests/plugin/exports.cmake

# On a machine without METIS: its library is hidden from a program that loads the plugin.
hidden='for file in $(ls -d /usr/lib*/libmetis.so* /usr/lib/*/libmetis.so* 2>/dev/null); do mount --bind /dev/null "$file" || exit 77; done
python3 - "$1" "$2" <<"END"
import ctypes, os, sys
try:
    ctypes.CDLL("libmetis.so.5")
    sys.exit("METIS is not hidden")
except OSError:
    pass
ctypes.CDLL(sys.argv[1], mode=os.RTLD_NOW)
used = {line.split()[-1] for line in open("/proc/self/maps") if "metis" in line}
if not used <= {os.path.realpath(sys.argv[2] + "/libmetis.so.5"), sys.argv[2] + "/libmetis.so.5"}:
    sys.exit("METIS is taken from %s" % used)
END'
status=0
unshare -rm bash -c "$hidden" _ "$plugin" "$tree/verve/lib" || status=$?
case $status in
  0) echo "package: the plugin is loaded where there is no METIS" ;;
  77) echo "package: not run: METIS cannot be hidden on this machine" ;;
  *) fail "the plugin is not loaded where there is no METIS" ;;
esac

# A processor that is older than what the plugin is compiled for gets a sentence, where the plugin itself would be stopped.
if grep -q '^VERVE_ARCH:.*=x86-64-v3$' "$build/CMakeCache.txt"; then
  old=$(mktemp -d)
  trap 'rm -rf "$tree" "$old"' EXIT
  c++ -std=c++17 -O2 tests/plugin/old/OldProcessor.cpp -o "$old/old_processor" -ldl
  status=0
  said=$("$old/old_processor" "$loader" newSopOperator 2>&1) || status=$?
  if [ $status = 77 ]; then
    echo "package: $said"
  else
    grep -q 'this processor does not have AVX2 FMA BMI2' <<<"$said" || fail "an old processor is told: $said"
    "$old/old_processor" "$plugin" verve_initialize_sim >/dev/null 2>&1 || status=$?
    [ $status = 132 ] || fail "an old processor runs the plugin itself, so that nothing was tried"
    echo "package: an old processor is told what it lacks before it meets an instruction that it does not know"
  fi
fi
echo "package: $files files, $(stat -c %s "$plugin") bytes of plugin; it exports its entry points only and needs" \
     "$(awk '{print $1}' <<<"$libraries" | grep -v linux-vdso | xargs -n1 basename | tr '\n' ' ')"
