"""What is measured by a benchmark program: HP, section 5.4, and AVF's initial guess."""
import functools
import os
import re
import subprocess
from collections import namedtuple
from pathlib import Path

from experiment import NOT_RUN, Experiment, Finding, Judged, Unavailable, held, number
from machine import Watch, unless_busy
from runs import VERVE

PROGRAMS = Path(VERVE).resolve().parent / "tests/bench"
PAPER = {2016: 1.2, 12672: 2.6, 24000: 3.0}

# What a benchmark prints, {(tets, start): {row: {column: number}}}, and the cores that other work took meanwhile.
Table = namedtuple("Table", "cases others")


def program(name):
    path = PROGRAMS / name
    if not path.exists():
        raise Unavailable(f"{name} is not built; do it with: cmake --build --preset release --target {name}")
    return path


@functools.lru_cache
def table_of(name, quick):
    arguments = ["4", "2100"] if quick else ["4"]
    one_thread = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}  # MUMPS' dense kernels; ours ask for one themselves
    with Watch() as watch:
        text = subprocess.run([str(program(name)), *arguments], capture_output=True, text=True, check=True,
                              env=one_thread).stdout
    cases = {}
    for block in text.strip().split("\n\n"):
        heading, columns, *rows = block.splitlines()
        tets, start = re.match(r"(\d+) tets, (\w+)", heading).groups()
        cases[int(tets), start] = {row[:14].strip(): dict(zip(columns.split(), map(float, row[14:].split())))
                                     for row in rows}
    return Table(cases, watch.others)


def measure_ours(quick):
    return table_of("root_finding_bench", quick)


def measure_both(quick):
    try:
        return measure_ours(quick), table_of("petsc_bench", quick)
    except Unavailable as missing:
        return measure_ours(quick), missing


def speed_up(table, start, minimiser, finder, least, why):
    """How often the minimiser's time goes into the root finder's."""
    ratios = {tets: case[finder]["ms"] / case[minimiser]["ms"]
              for (tets, name), case in table.cases.items() if name == start}
    told = ", ".join(f"{r:.2f} at {tets} tets (paper: {PAPER[tets]})" for tets, r in ratios.items())
    return unless_busy(held(all(r > least for r in ratios.values()), told, f"above {least}", why=why), table.others)


def rows_told(table):
    return {f"{tets} tets, {start}, {name}":
            f"{row['Newton']:g} iterations, {row['factors']:g} factorisations, {row['g']:g} evaluations, "
            f"{row['ms']:.3g} ms a step, {row['failed']:g} failed"
            for (tets, start), case in table.cases.items() for name, row in case.items()}


def judge_libraries(petsc):
    if isinstance(petsc, Unavailable):
        return dict.fromkeys(("faster", "practice"), Judged(NOT_RUN, why=str(petsc)))
    return {"faster": speed_up(petsc, "paper", "TAO nls", "SNES newtonls", 1.15,
                               "Both take the same three or four iterations on the rod of figure 2, whose material "
                               "the paper does not give, even as stiff as that figure's steps allow. On stiffer bars "
                               "the minimiser is far ahead: see the next claim."),
            "practice": speed_up(petsc, "stiff", "TAO nls", "SNES newtonls", 2, "The libraries have changed since.")}


def judge_root_finding(both):
    ours, petsc = both
    failed = {name: sum(case[name]["failed"] for (_, start), case in ours.cases.items() if start == "violent")
              for name in ("minimisation", "root finding")}
    return Finding({
        **judge_libraries(petsc),
        "ours": speed_up(ours, "stiff", "minimisation", "root finding", 2,
                         "Ours have the same exact Hessian and the same sparse Cholesky solver, so that only the "
                         "iterations differ; what the libraries' minimiser gains, it gains by conjugate gradients."),
        "sensitive": held(failed["minimisation"] == 0 < failed["root finding"],
                          f"steps of violent motion that fail: {failed['root finding']:g} by root finding, "
                          f"{failed['minimisation']:g} by minimisation", "some, none")},
        rows_told(ours) | ({} if isinstance(petsc, Unavailable) else rows_told(petsc)))


def judge_guess(table):
    took = {row: [case[row]["Newton"] for case in table.cases.values()] for row in ("AVF from x+hv", "AVF from y")}
    usual, other = (sum(values) / len(values) for values in took.values())
    return Finding({
        "guess": held(usual < other, f"{number(usual)} iterations a step from x + h v, {number(other)} from "
                                     "y",
                      "fewer")},
        {f"{tets} tets, {start}, {row}": f"{case[row]['Newton']:g} iterations a step"
         for (tets, start), case in table.cases.items() for row in took})


SETUP = ("Bars of 2K, 12.7K and 24K tets (quick: 2K): figure 2's rod, a stiff bar, and the stiff bar in violent "
         "motion: `tests/bench/root_finding_bench`")
EXPERIMENTS = [
    Experiment(
        "hp_sec5_4", "HP, section 5.4: minimisation against root finding",
        claims={"faster": "TAO's minimiser is 1.2, 2.6 and 3 times as fast as PETSc's root finder at 2K, "
                          "12.5K and 24K tets.",
                "practice": "In practice minimising is faster by more than a factor of two (abstract),",
                "ours": "and not with these libraries alone (1.2).",
                "sensitive": "Minimisers are less sensitive to large steps than root finders (4.3)."},
        setup=SETUP + (" and, with the paper's libraries, `petsc_bench`. Steps of 0.01 s, alpha 1/2, and the same "
                       "tolerance for both sides, which begin every step from the same state. The libraries are "
                       "judged with the linear solvers that they come with: conjugate gradients for TAO, GMRES and "
                       "ILU for SNES; the numbers have them with MUMPS' factors too. The first claim is tried on "
                       "figure 2's rod, the two that follow on the stiff bar."),
        measure=measure_both, judge=judge_root_finding),
    Experiment(
        "avf_sec3", "AVF, section 3: the initial guess",
        claims={"guess": "Newton's method takes fewer iterations from x + h v than from y."},
        setup=SETUP + ". Steps of 0.033 s, AVF.",
        measure=measure_ours, judge=judge_guess),
]
