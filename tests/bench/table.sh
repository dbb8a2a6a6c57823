#!/usr/bin/env bash
# Prints the tables on speed of tests/bench/README.md: whole Newton iterations against raw CHOLMOD and Eigen, lively scenes, growth with
# size. With --readme puts them there. Everything in a row comes from one run, interleaved; compare rows on a quiet machine only.
# With --history appends a row of whole frames to tests/bench/frames.csv instead: ratios of processor times, in one run.
source "$(dirname "${BASH_SOURCE[0]}")/../setup.sh"

for word in "$@"; do
  case "$word" in --readme | --history) ;; *)
    echo "tests/bench/table.sh: unknown option '$word'; there are --readme and --history" >&2
    exit 2
  esac
done
machine() {
  echo "$(grep -m1 'model name' /proc/cpuinfo | cut -d: -f2 | xargs), $(nproc --all) cores"
}
if [ "${1:-}" = --history ]; then
  build frame_bench >&2
  bench=$root/build/release/tests/bench/frame_bench table=$root/tests/bench/frames.csv
  [ -s "$table" ] || echo "date,commit,machine$("$bench" --ratios --names)" >"$table"
  commit=$(git -C "$root" rev-parse --short HEAD)$(git -C "$root" diff --quiet HEAD -- solver || echo +)
  echo "$(date -u +%F),$commit,$(machine | tr -d ,)$("$bench" --ratios)" | tee -a "$table"
  exit
fi
install_missing libsuitesparse-dev libopenblas-dev
build step_bench >&2
bench=$root/build/release/tests/bench/step_bench
export OMP_THREAD_LIMIT=1
page=$(mktemp)
trap 'rm -f "$page" "$page.rows"' EXIT

{
  echo "$(machine), $(awk '/MemTotal/ {printf "%.0f", $2 / 1048576}' /proc/meminfo) GiB," \
    "$(. /etc/os-release; echo "$PRETTY_NAME"), $(c++ --version | head -1 | awk '{print "g++ " $NF}'); load at the start $(cut -d' ' -f1 /proc/loadavg)."
  echo
  echo "Clamped bar, backward Euler, tolerance 1e-6. *Unit*: one CHOLMOD factorisation in double on one thread, same matrix."
  echo
  echo "| tets | CHOLMOD ms | Eigen LLT, units | AVF / backward Euler, a factor each | 1 thread: iteration ms | units | AVF / backward Euler (a frame) | 2 threads: iteration ms | units | AVF / backward Euler (a frame) | MB |"
  echo "|---|---|---|---|---|---|---|---|---|---|---|"
  for cells in "20 4 4" "33 8 8" "40 10 10" "65 16 16" "82 20 20" "142 34 34"; do $bench bar $cells; done | tee "$page.rows"
  echo
  # The slope of log(time) over log(tets), 24K and above, two threads.
  awk -F'|' '$2 > 20000 { x = log($2); y = log($9); n++; a += x; b += y; c += x * x; d += x * y }
    END { printf "From 24K tets on an iteration grows as n^%.2f (two threads).\n", (n * d - a * b) / (n * c - a * a) }' "$page.rows"
  echo
  echo "Cloth of springs hanging by two corners, the same, by vertices:"
  echo
  echo "| vertices | CHOLMOD ms | Eigen LLT, units | AVF / backward Euler, a factor each | 1 thread: iteration ms | units | AVF / backward Euler (a frame) | 2 threads: iteration ms | units | AVF / backward Euler (a frame) | MB |"
  echo "|---|---|---|---|---|---|---|---|---|---|---|"
  for cells in "79 79 1" "315 315 1"; do $bench cloth $cells; done
  echo
  echo "Stretched and twisted StVK bar, AVF, tolerance 1e-8, a frame, against Newton with CHOLMOD in double and the papers' Tikhonov loop:"
  echo
  echo "| tets | CHOLMOD ms/frame | its iterations | failed of 10 | our iterations | faster, 1 thread | 2 threads |"
  echo "|---|---|---|---|---|---|---|"
  for cells in "16 2 2" "40 4 4" "48 6 6"; do $bench lively $cells; done
} | tee "$page"

if [ "${1:-}" = --readme ]; then
  sed -i -e '/<!-- speed -->/,/<!-- speed end -->/{//!d}' -e "/<!-- speed -->/r $page" "$root/tests/bench/README.md"
fi
