#!/usr/bin/env bash
# Installs a build into an empty folder and uses all that is left there: the program, its help and completions, the library
# in a program of somebody else's, the Python module, the add-on; then the Debian package.
#   tests/install/run.sh BUILD             the package is unpacked and run
#   tests/install/run.sh BUILD --chroot    it is installed by apt into a fresh Debian 12, without any of our libraries;
#                                          needs root, debootstrap and the network
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$(realpath "$1")
fail() { echo "install: $1" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tree=$work/tree

cmake --install "$build" --prefix "$tree" >/dev/null
for file in bin/verve lib/libverve.a include/verve/simulation/Simulation.h lib/cmake/verve/verveConfig.cmake \
            share/man/man1/verve.1 share/doc/verve/help.txt share/doc/verve/parameters.json share/doc/verve/copyright \
            share/bash-completion/completions/verve share/zsh/vendor-completions/_verve \
            share/fish/vendor_completions.d/verve.fish share/verve/verve_blender.zip; do
  [ -s "$tree/$file" ] || fail "$file is missing"
done
[ "$("$tree/bin/verve" --version)" = "verve 0.2.0" ] || fail "bin/verve says another version"
"$tree/bin/verve" run "$tree/share/doc/verve/examples/drop.json" --frames 1-3 --out "$work/run" --quiet
[ -s "$work/run/report.csv" ] || fail "bin/verve has not run the example"
bash -c 'source "$0"; COMP_WORDS=(verve r) COMP_CWORD=1; _verve; [ "${COMPREPLY[*]}" = run ]' \
  "$tree/share/bash-completion/completions/verve" || fail "bash does not complete 'verve r'"
grep -q 'damping.delta' "$tree/share/doc/verve/parameters.txt" || fail "the parameters are not explained"
grep -q 'INTEGRATORS' "$tree/share/man/man1/verve.1" || fail "the manual page has no topics"

cmake -S "$here/../../examples/cpp" -B "$work/else" -DCMAKE_PREFIX_PATH="$tree" -DCMAKE_BUILD_TYPE=Debug -G Ninja >"$work/else.log" 2>&1 &&
  cmake --build "$work/else" >>"$work/else.log" 2>&1 || { cat "$work/else.log"; fail "the library cannot be used"; }
"$work/else/fall" "$tree/share/doc/verve/examples/drop.json" || fail "the library does not simulate"

module=$(dirname "$(compgen -G "$tree/lib/python3*/*-packages/verve")") || fail "the Python module is missing"
PYTHONPATH=$module /usr/bin/python3 -c 'import verve; assert verve.__version__ == "0.2.0"' || fail "the Python module"

(cd "$build" && cpack -B "$work/deb" >"$work/cpack.log" 2>&1) || { cat "$work/cpack.log"; fail "cpack"; }
deb=$work/deb/verve_0.2_amd64.deb
[ -s "$deb" ] || fail "verve_0.2_amd64.deb is missing"
depends=$(dpkg-deb -f "$deb" Depends)
for library in libtbb12 libmetis5 libblosc1 libc6; do
  [[ $depends == *$library* ]] || fail "the package does not depend on $library: $depends"
done
echo "verve_0.2_amd64.deb: $(stat -c %s "$deb") bytes, depends on $depends"
if [ "${2:-}" != --chroot ]; then
  dpkg-deb -x "$deb" "$work/unpacked"
  [ "$("$work/unpacked/usr/bin/verve" --version)" = "verve 0.2.0" ] || fail "the package's program does not start"
  echo "unpacked and started; tests/run.sh --package installs it in a fresh Debian"
  exit 0
fi
root=$work/debian
debootstrap --variant=minbase bookworm "$root" >"$work/debootstrap.log" 2>&1 || { cat "$work/debootstrap.log"; fail "debootstrap"; }
# The add-on's program brings its libraries: it runs before any of them is installed.
mkdir "$root/addon"
python3 -m zipfile -e "$tree/share/verve/verve_blender.zip" "$root/addon"
chroot "$root" /usr/bin/env LD_LIBRARY_PATH=/addon/verve_blender/bin/lib sh -c \
  'chmod +x /addon/verve_blender/bin/verve && /addon/verve_blender/bin/verve --version' || fail "the add-on's program"
cp "$deb" "$root/root/"
chroot "$root" sh -c 'apt-get install -y -qq --no-install-recommends /root/verve_0.2_amd64.deb python3-numpy' \
  >"$work/apt.log" 2>&1 || { cat "$work/apt.log"; fail "apt"; }
chroot "$root" sh -ec 'verve --version
  verve run /usr/share/doc/verve/examples/drop.json --frames 1-3 --out /tmp/run --quiet; test -s /tmp/run/report.csv
  python3 -c "import verve; print(\"python:\", verve.__version__)"
  dpkg -L verve > /tmp/files; dpkg -r verve
  while read -r file; do test -d "$file" || ! test -e "$file"; done < /tmp/files; test ! -e /usr/bin/verve' || fail "what was installed does not run"
echo "installed, run and removed in a fresh Debian 12"
