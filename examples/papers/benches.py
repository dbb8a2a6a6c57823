"""What is measured by a benchmark program: HP, section 5.4, and AVF's initial guess."""
import functools
import os
import re
import subprocess
from pathlib import Path

from experiment import NOT_RUN, Experiment, Finding, Judged, Unavailable, held, number
from machine import unless_busy
from runs import VERVE

PROGRAMS = Path(VERVE).resolve().parent / "tests/bench"
PAPER = {2016: 1.2, 12672: 2.6, 24000: 3.0}
GENTLE, VIOLENT = "1.1", "1.5"  # the two stretches that the benchmarks start from


def program(name):
    path = PROGRAMS / name
    if not path.exists():
        raise Unavailable(f"{name} is not built; do it with: cmake --build --preset release --target {name}")
    return path


@functools.lru_cache
def table_of(name, quick):
    """{(tets, stretch): {row: {column: number}}} as a benchmark prints it."""
    arguments = ["4", "2100"] if quick else ["4"]
    one_thread = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}  # MUMPS' dense kernels; ours ask for one themselves
    text = subprocess.run([str(program(name)), *arguments], capture_output=True, text=True, check=True,
                          env=one_thread).stdout
    data = {}
    for block in text.strip().split("\n\n"):
        heading, columns, *rows = block.splitlines()
        tets, stretch = re.match(r"(\d+) tets, stretched by ([\d.]+)", heading).groups()
        data[int(tets), stretch] = {row[:14].strip(): dict(zip(columns.split(), map(float, row[14:].split())))
                                    for row in rows}
    return data


def measure_ours(quick):
    return table_of("root_finding_bench", quick)


def measure_both(quick):
    try:
        return measure_ours(quick), table_of("petsc_bench", quick)
    except Unavailable as missing:
        return measure_ours(quick), missing


def speed_up(data, minimiser, finder, why):
    """How often the minimiser's time goes into the root finder's, on gentle motion."""
    ratios = {tets: case[finder]["ms"] / case[minimiser]["ms"]
              for (tets, stretch), case in data.items() if stretch == GENTLE}
    return unless_busy(held(all(r > 1.15 for r in ratios.values()), ", ".join(
        f"{r:.2f} at {tets} tets (paper: {PAPER[tets]})" for tets, r in ratios.items()), "above 1.15",
                            why=why))


def rows_told(data):
    return {f"{tets} tets stretched by {stretch}, {name}":
            f"{row['Newton']:g} iterations, {row['factors']:g} factorisations, {row['g']:g} evaluations, "
            f"{row['ms']:.3g} ms a step, {row['failed']:g} failed"
            for (tets, stretch), case in data.items() for name, row in case.items()}


def judge_root_finding(both):
    ours, petsc = both
    failed = {name: sum(case[name]["failed"] for (_, stretch), case in ours.items() if stretch == VIOLENT)
              for name in ("minimisation", "root finding")}
    claims = {
        "ours": speed_up(ours, "minimisation", "root finding",
                         "Both take about as many iterations here, with the same exact Hessian and the same "
                         "sparse Cholesky solver."),
        "sensitive": held(failed["minimisation"] == 0 < failed["root finding"],
                          f"steps of violent motion that fail: {failed['root finding']:g} by root finding, "
                          f"{failed['minimisation']:g} by minimisation", "some, none")}
    if isinstance(petsc, Unavailable):
        return Finding({"faster": Judged(NOT_RUN, why=str(petsc)), **claims}, rows_told(ours))
    faster = speed_up(petsc, "TAO nls", "SNES newtonls", "The libraries have changed since.")
    return Finding({"faster": faster, **claims}, rows_told(petsc) | rows_told(ours))


def judge_guess(data):
    took = {row: [case[row]["Newton"] for case in data.values()] for row in ("AVF from x+hv", "AVF from y")}
    usual, other = (sum(values) / len(values) for values in took.values())
    return Finding({
        "guess": held(usual < other, f"{number(usual)} iterations a step from x + h v, {number(other)} from "
                                     "y",
                      "fewer")},
        {f"{tets} tets stretched by {stretch}, {row}": f"{case[row]['Newton']:g} iterations a step"
         for (tets, stretch), case in data.items() for row in took})


SETUP = ("A bar of 2K, 12.7K and 24K tets (quick: 2K), stretched by 1.1 or 1.5 and twisted: "
         "`tests/bench/root_finding_bench`")
EXPERIMENTS = [
    Experiment(
        "hp_sec5_4", "HP, section 5.4: minimisation against root finding",
        claims={"faster": "TAO's minimiser is 1.2, 2.6 and 3 times as fast as PETSc's root finder at 2K, "
                          "12.5K and 24K tets.",
                "ours": "Minimising is faster by a factor of two in practice (1.2).",
                "sensitive": "Minimisers are less sensitive to large steps than root finders (4.3)."},
        setup=SETUP + (" and, with the paper's libraries, `petsc_bench`. Steps of 0.01 s, alpha 1/2, the "
                       "same tolerance and linear solver for both sides; times of gentle motion."),
        measure=measure_both, judge=judge_root_finding),
    Experiment(
        "avf_sec3", "AVF, section 3: the initial guess",
        claims={"guess": "Newton's method takes fewer iterations from x + h v than from y."},
        setup=SETUP + ". Steps of 0.033 s, AVF.",
        measure=measure_ours, judge=judge_guess),
]
