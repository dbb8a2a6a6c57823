"""What is measured by a benchmark program: HP, section 5.4, and AVF's initial guess."""
import functools
import re
import subprocess
from pathlib import Path

from experiment import Experiment, Finding, Unavailable, held, number
from machine import unless_busy
from runs import VERVE

PROGRAM = Path(VERVE).resolve().parent / "tests/bench/root_finding_bench"
PAPER = {2016: 1.2, 12672: 2.6, 24000: 3.0}
GENTLE, VIOLENT = "1.1", "1.5"  # the two stretches that the benchmark starts from


@functools.lru_cache
def measure_program(quick):
    """{(tets, stretch): {row: {column: number}}} as the benchmark prints it."""
    if not PROGRAM.exists():
        raise Unavailable(f"{PROGRAM} is not there; build it with: cmake --build --preset release --target "
                          f"{PROGRAM.name}")
    arguments = ["4", "2100"] if quick else ["10"]
    text = subprocess.run([str(PROGRAM), *arguments], capture_output=True, text=True, check=True).stdout
    data = {}
    for block in text.strip().split("\n\n"):
        heading, columns, *rows = block.splitlines()
        tets, stretch = re.match(r"(\d+) tets, stretched by ([\d.]+)", heading).groups()
        data[int(tets), stretch] = {row[:14].strip(): dict(zip(columns.split(), map(float, row[14:].split())))
                                    for row in rows}
    return data


def judge_root_finding(data):
    ratios = {tets: case["root finding"]["ms"] / case["minimisation"]["ms"]
              for (tets, stretch), case in data.items() if stretch == GENTLE}
    faster = held(all(r > 1.15 for r in ratios.values()),
                  ", ".join(f"{r:.2f} at {tets} tets (paper: {PAPER[tets]})" for tets, r in ratios.items()),
                  "above 1.15",
                  why="Both take about as many iterations here, with the same exact Hessian and the same "
                      "sparse Cholesky solver; the paper compares two libraries, which differ in more than "
                      "that.")
    failed = {name: sum(case[name]["failed"] for (_, stretch), case in data.items() if stretch == VIOLENT)
              for name in ("minimisation", "root finding")}
    numbers = {}
    for (tets, stretch), case in data.items():
        for name in ("minimisation", "root finding"):
            row = case[name]
            numbers[f"{tets} tets stretched by {stretch}, {name}"] = (
                f"{row['Newton']:g} iterations, {row['factors']:g} factorisations, {row['g']:g} evaluations, "
                f"{row['ms']:.3g} ms a step, {row['failed']:g} failed")
    return Finding({
        "faster": unless_busy(faster),
        "sensitive": held(failed["minimisation"] == 0 < failed["root finding"],
                          f"steps of violent motion that fail: {failed['root finding']:g} by root finding, "
                          f"{failed['minimisation']:g} by minimisation", "some, none")}, numbers)


def judge_guess(data):
    took = {row: [case[row]["Newton"] for case in data.values()] for row in ("AVF from x+hv", "AVF from y")}
    usual, other = (sum(values) / len(values) for values in took.values())
    return Finding({
        "guess": held(usual < other, f"{number(usual)} iterations a step from x + h v, {number(other)} from "
                                     "y",
                      "fewer")},
        {f"{tets} tets stretched by {stretch}, {row}": f"{case[row]['Newton']:g} iterations a step"
         for (tets, stretch), case in data.items() for row in took})


SETUP = ("`tests/bench/root_finding_bench`: a bar of 2K, 12.7K and 24K tets (quick: 2K), stretched by 1.1 or "
         "1.5 and twisted, the same tolerance and linear solver. ")
EXPERIMENTS = [
    Experiment(
        "hp_sec5_4", "HP, section 5.4: minimisation against root finding",
        claims={"faster": "Minimising is 1.2, 2.6 and 3 times as fast as root finding at 2K, 12.5K and 24K "
                          "tets.",
                "sensitive": "Minimisers are less sensitive to large steps than root finders (4.3)."},
        setup=SETUP + "Steps of 0.01 s, alpha 1/2.",
        measure=measure_program, judge=judge_root_finding),
    Experiment(
        "avf_sec3", "AVF, section 3: the initial guess",
        claims={"guess": "Newton's method takes fewer iterations from x + h v than from y."},
        setup=SETUP + "Steps of 0.033 s, AVF.",
        measure=measure_program, judge=judge_guess),
]
