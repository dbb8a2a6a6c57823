"""A free body that tumbles: what nothing acts on keeps its energy and its momenta."""
from experiment import Experiment, Finding, Plot, below, number
from measure import scene
from runs import Run

SCHEMES = {"AVF": {}, "AVF, not projected": {"integrator.momentum": "raw"},
           **{name: {"integrator.type": kind, "integrator.momentum": "raw"}
              for name, kind in (("implicit midpoint", "implicit_midpoint"), ("Newmark", "newmark"),
                                 ("backward Euler", "backward_euler"))},
           "AVF, a step a frame": {"substeps": 1}}


def runs(quick):
    size = {"frames": [1, 101], "bodies[0].geometry.cells": [4, 1, 2]} if quick else {}
    return [Run(name, scene("tumbling"), {**size, **keys}, limit=120) for name, keys in SCHEMES.items()]


def judge(results):
    r = results["AVF"]
    done = r.complete
    return Finding({
        "energy": below(r.drift(), 1e-8, "off by at most", also=done, why=r.message),
        "linear": below(r.vector_drift("p"), 1e-8, "off by at most", also=done, why=r.message),
        "angular": below(r.vector_drift("l"), 1e-8, "off by at most", also=done, why=r.message)},
        {f"{what} off by, {label}": number(measure(other)) for label, other in results.items() if other.columns
         for what, measure in (("energy", lambda o: o.drift()), ("angular momentum", lambda o: o.vector_drift("l")))})


EXPERIMENTS = [Experiment(
    "tumbling", "Free flight: energy and momenta of a tumbling body",
    claims={"energy": "The energy stays.", "linear": "The momentum stays.", "angular": "The angular momentum stays."},
    setup="A soft book thrown stretched by a tenth, with a spin next to its unstable axis, so that it flips over and over; 120 "
          "steps a second. Reference: the laws of conservation (Noether). Tolerance: ten times the solver's own, 1e-9, which "
          "holds over a thousand steps. At a step a frame the stretch turns faster than the steps, more energy sits in the "
          "shape than belongs there, and what is left for the motion is too little for its angular momentum: then only the "
          "energy holds, and the momentum is owed until later.",
    runs=runs, judge=judge,
    plots=[Plot("Energy", "share of the first frame's",
                lambda rs: [(k, r["time"], [min(2, e / r["total"][0]) for e in r["total"]]) for k, r in rs.items()
                            if r.columns])],
    pictures={"AVF": [1, 41, 81, 121, 161, 201]})]
