#!/usr/bin/env bash
# The same tests in a newer Blender: that of a later Debian, in a folder of its own that is removed afterwards.
#   tests/blender/newer.sh ZIP [SUITE]     trixie, the default, has Blender 4.3; sid had 5.2 in November 2026
# Needs root, debootstrap, the network, and 2 GB of disk.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
zip=$(realpath "$1") suite=${2:-trixie}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/debian
echo "fetching Debian $suite and its Blender"
debootstrap --variant=minbase "$suite" "$root" >"$work/log" 2>&1 || { tail -20 "$work/log" >&2; exit 1; }
printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"  # no daemons
chmod +x "$root/usr/sbin/policy-rc.d"
ln -sf /proc/self/mounts "$root/etc/mtab"
cp -r "$here" "$root/tests"
cp "$zip" "$root/verve_blender.zip"
# What is mounted in there ends with the command, also when that is killed.
inside() {
  unshare --mount bash -c 'mount -t proc proc "$0/proc" && exec chroot "$0" "$@"' "$root" "$@"
}
inside env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends blender xvfb xauth libgl1-mesa-dri \
  python3-numpy >"$work/log" 2>&1 || { tail -20 "$work/log" >&2; exit 1; }
mkdir "$root/pictures"
inside env HOME=/root VERVE_CLIENTS=yes VERVE_PICTURES=/pictures bash /tests/run.sh /verve_blender.zip
[ -z "${VERVE_PICTURES:-}" ] || cp "$root"/pictures/*.png "$VERVE_PICTURES"
