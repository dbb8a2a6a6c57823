#!/usr/bin/env bash
# Installs what is missing, builds, and runs all tests. With --clients also installs the real programs that open our files
# and run our jobs; without it, those that are present are used, and the others are named. With --package also builds the
# Houdini plugin, against the stand-in for the HDK unless $HFS is set, looks at what is installed,
# installs the Debian package in a fresh Debian, and tests the add-on in a newer Blender (as root). With --meshes also drops fourteen meshes as newcomers bring them.
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

clients=no package=no meshes=no
for word in "$@"; do
  case "$word" in
    --clients) clients=yes ;;
    --package) package=yes ;;
    --meshes) meshes=yes ;;
    *) echo "tests/run.sh: unknown option '$word'; there are --clients, --package and --meshes" >&2; exit 2 ;;
  esac
done

echo "tests/run.sh: installs what is missing, builds everything, and runs all tests: from nothing about 50 minutes of CPU,"
echo "half as long on two cores, a few minutes when all is built. Each line begins with the time so far."

has_meshio() {
  /usr/bin/python3 -c 'import meshio' 2>/dev/null || python3 -c 'import meshio' 2>/dev/null
}

command -v python3 >/dev/null || install_missing python3  # runs the papers' experiments
if [ $clients = yes ]; then
  say "looking for Blender, Chromium, meshio, Slurm and npm's packages (about 1 GB where none is there)"
  install_missing blender chromium python3-meshio slurm-wlm munge xvfb
  install_npm_clients
else
  missing=()
  command -v blender >/dev/null || missing+=(Blender)
  command -v chromium >/dev/null || missing+=(Chromium)
  has_meshio || missing+=(meshio)
  command -v slurmctld >/dev/null || missing+=(Slurm)
  [ -f "$npm_clients/installed" ] || missing+=("OpenUSD and playwright from npm")
  if [ ${#missing[@]} -gt 0 ]; then
    printf -v list '%s, ' "${missing[@]}"
    echo "not installed: ${list%, }; their tests are skipped (tests/run.sh --clients installs them)"
  fi
fi
export VERVE_CLIENTS=$clients VERVE_NPM=$npm_clients

build
cd "$root"
say "testing"
ctest --preset release -j "$(nproc)"
if [ $meshes = yes ]; then
  say "dropping fourteen meshes as newcomers bring them, about seven minutes of CPU"
  tests/meshes/run.sh build/release/verve
fi
if [ $package = yes ]; then
  tests/plugin/package.sh
  install_missing debootstrap
  tests/install/run.sh build/release --chroot
  tests/blender/newer.sh build/release/blender/verve_blender.zip
fi
say "all tests have passed"
