"""What an experiment is: claims, the runs that try them, and verdicts computed from their data."""
from dataclasses import dataclass, field
from typing import Callable

NOT_RUN, NOT_JUDGED, NOT_REPRODUCED, REPRODUCED, BETTER = (
    "not run", "not judged", "not reproduced", "reproduced", "better")
FROM_WORST = (NOT_RUN, NOT_JUDGED, NOT_REPRODUCED, REPRODUCED, BETTER)


@dataclass
class Judged:
    """A verdict, what was measured, what was wanted, and why it is not as the paper says."""
    verdict: str
    measured: str = ""
    wanted: str = ""
    why: str = ""


@dataclass
class Finding:
    """The verdict of every claim (its key -> Judged), and other numbers worth telling (name -> text)."""
    claims: dict
    numbers: dict = field(default_factory=dict)


@dataclass
class Plot:
    """A plot: `series` takes the results and gives [(label, xs, ys)]."""
    title: str
    y_label: str
    series: Callable
    x_label: str = "time (s)"
    log: bool = False
    dots: bool = False


@dataclass
class Experiment:
    """Either `runs` scenes, whose results by label go to judge and plots, or does `measure` by itself, whose
    data goes there instead."""
    name: str                 # for the command line and file names
    title: str                # which figure of which paper
    claims: dict              # key -> what the paper says, in our words
    setup: str                # what we run, and where it is not the paper's
    judge: Callable           # {label: Result}, or data -> Finding
    runs: Callable = None     # quick -> [Run]
    measure: Callable = None  # quick -> data
    chosen: str = ""          # what we set so that the effect shows
    timed: bool = False       # its runs must not share the machine
    plots: list = field(default_factory=list)
    pictures: dict = field(default_factory=dict)  # label of a run -> frames to draw


class Unavailable(Exception):
    """Something that an experiment needs is not there; the sentence says what to do."""


def held(condition, measured, wanted, good=REPRODUCED, why=""):
    """`good` if the condition is met; `why` is told if it is not."""
    return Judged(good, measured, wanted) if condition else Judged(NOT_REPRODUCED, measured, wanted, why)


def below(value, limit, what, good=REPRODUCED, why="", also=True):
    return held(also and value < limit, f"{what} {number(value)}", f"below {limit:g}", good, why)


def above(value, limit, what, good=REPRODUCED, why="", also=True):
    return held(also and value > limit, f"{what} {number(value)}", f"above {limit:g}", good, why)


def none_run(experiment, reason):
    return Finding({key: Judged(NOT_RUN, why=reason) for key in experiment.claims})


def column(name, labels=None):
    """Series of a report column over time, for the runs named (or all)."""
    def series(results):
        return [(label, r["time"], r[name]) for label, r in results.items()
                if labels is None or label in labels]
    return series


def number(value):
    """A number as the report prints it."""
    return f"{value:.3g}"
