"""What an experiment is: a claim, the runs that try it, and a judgement computed from their data."""
from dataclasses import dataclass, field
from typing import Callable

from runs import Result

REPRODUCED, BETTER, NOT_REPRODUCED, NOT_RUN, ELSEWHERE = (
    "reproduced", "better", "not reproduced", "not run", "see elsewhere")


@dataclass
class Finding:
    """A verdict, the numbers it was computed from (name -> text), and what is to be said about it."""
    verdict: str
    numbers: dict
    remark: str = ""


@dataclass
class Plot:
    """A plot: `series` takes the results and gives [(label, xs, ys)]."""
    title: str
    y_label: str
    series: Callable
    x_label: str = "time (s)"
    log: bool = False
    limits: tuple = None


@dataclass
class Experiment:
    name: str                 # for the command line and file names
    title: str                # which figure of which paper
    claim: str                # what the paper says, in our words
    setup: str = ""           # what we run, and where it is not the paper's
    runs: Callable = None     # quick -> list of Run
    judge: Callable = None    # {label: Result} -> Finding
    plots: list = field(default_factory=list)
    pictures: dict = field(default_factory=dict)  # label of a run -> frames to draw
    elsewhere: Finding = None                     # for what is no scene: where it is measured


def column(name, labels=None, scale=lambda result: 1.0):
    """Series of a report column over time, for the runs named (or all)."""
    def series(results: dict[str, Result]):
        return [(label, r["time"], [y / scale(r) for y in r[name]])
                for label, r in results.items() if r.columns and (labels is None or label in labels)]
    return series


def first(condition, good=REPRODUCED):
    return good if condition else NOT_REPRODUCED


def number(value):
    """A number as the report prints it."""
    return f"{value:.3g}"
