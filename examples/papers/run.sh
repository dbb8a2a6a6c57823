#!/bin/sh
# The papers' figures and tables, run and judged; `run.sh validation`: figures from elsewhere. run.sh --help names the options, run.sh --list the experiments.
# Needs the built program (VERVE names another one) and Python 3; writes out/papers/report.html or out/validation/report.html.
here=$(cd "$(dirname "$0")" && pwd)
export VERVE="${VERVE:-$here/../../build/release/verve}"
build="cmake --preset release && cmake --build --preset release"
[ -x "$VERVE" ] || { echo "run.sh: $VERVE is not there; build it with: $build" >&2; exit 2; }
export PYTHONDONTWRITEBYTECODE=1
exec python3 "$here/run.py" "$@"
