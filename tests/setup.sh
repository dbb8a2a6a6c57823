# Installs what is missing (Debian 12) and builds the release preset. Sourced by tests/run.sh and examples/demo.sh.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

packages=(g++ cmake ninja-build libeigen3-dev libtbb-dev libmetis-dev libopenblas-dev nlohmann-json3-dev libcli11-dev
          libblosc-dev zlib1g-dev libgtest-dev libbenchmark-dev librapidcheck-dev
          pybind11-dev python3-dev python3-numpy python3-pytest dpkg-dev file)

install_missing() {
  local missing=() package
  for package in "$@"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return
  echo "installing: ${missing[*]}"
  local sudo=""
  [ "$(id -u)" -eq 0 ] || sudo="sudo"
  $sudo apt-get update -qq
  DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

# The page of `verve view` is bundled with node and npm. Any will do; Debian's are taken where there are none.
install_node() {
  if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
    install_missing nodejs npm || echo "no node and npm: the program is built without its page" >&2
  fi
}

# What the client tests take from npm.
npm_clients="$root/build/clients"
install_npm_clients() {
  install_node
  cmp -s "$root/tests/clients/package-lock.json" "$npm_clients/installed" && return
  mkdir -p "$npm_clients"
  cp "$root"/tests/clients/package{,-lock}.json "$npm_clients/"
  (cd "$npm_clients" && npm ci --ignore-scripts --no-audit --no-fund --prefer-offline >/dev/null)
  cp "$root/tests/clients/package-lock.json" "$npm_clients/installed"
}

# say SENTENCE: what begins now, and how long everything before it took.
say() { printf '[%d:%02d] %s\n' $((SECONDS / 60)) $((SECONDS % 60)) "$1"; }

# Ninja's own progress on a terminal; in a log a line every tenth of the way, and whatever compilers say.
show_progress() {
  if [ -t 1 ]; then
    NINJA_STATUS='[%f/%t, %e s] ' "$@"
  else
    NINJA_STATUS='%% %f %t %e ' "$@" | awk '
      $1 == "%" { if ($3 > 20 && int(10 * $2 / $3) > tenth) { tenth = int(10 * $2 / $3)
                    printf "built %d of %d after %d s\n", $2, $3, $4; fflush() } next }
      /^ninja: |Re-checking globbed|Re-running CMake/ && !/error|warning|stopped/ { next }
      { print; fflush() }'
  fi
}

# build [TARGET...]: configures if need be, and builds.
build() {
  say "looking for the Debian packages that are needed"
  install_missing "${packages[@]}"
  install_node
  say "configuring"
  (cd "$root" && cmake --preset release >"$root/build/configure.log" 2>&1) || {
    cat "$root/build/configure.log"
    return 1
  }
  say "building: from nothing about $([ $# -gt 0 ] && echo 12 || echo 40) minutes of CPU, shared by $(nproc) cores; what is there stays"
  (cd "$root" && show_progress cmake --build --preset release ${1:+--target "$@"})
}
mkdir -p "$root/build"
