"""Supplement to asynchronous contact mechanics: penalty layers and multisymplecticity (AVI)."""
import csv
import subprocess
import tempfile
from pathlib import Path

from benches import program
from experiment import Experiment, Finding, Plot, below, column, held, number
from runs import Run


# Figure 1: a spherical shell against a thin plate
def impact_runs(quick):
    size = {"bodies[0].geometry.cells": 6, "bodies[1].geometry.cells": 7} if quick else {}
    euler = {"integrator.type": "backward_euler", "contact.rule": "exact", **size}
    return [Run("asynchronous", "avi_fig1.json", size),
            Run("backward Euler", "avi_fig1.json", euler)]


def judge_impact(results):
    r, euler = results["asynchronous"], results["backward Euler"]
    after = r["total"][r.after(0.0006):]
    half = len(after) // 2
    trend = abs(sum(after[half:]) / (len(after) - half) / (sum(after[:half]) / half) - 1)
    turns = sum((b - a) * (c - b) < 0 for a, b, c in zip(after, after[1:], after[2:]))
    met = max(r["contacts"]) > 0
    return Finding({
        "drift": below(trend, 1e-3, "mean of the second half after the impact off the first's by",
                       also=r.complete and met, why=r.message),
        "swings": held(r.drift() < 0.01 and turns > len(after) / 10,
                       f"largest {number(r.drift())}, turning {turns} times in {len(after)} frames",
                       "below 0.01, more than a tenth of the frames")},
        {"linear momentum off by": number(r.vector_drift("p")),
         "deepest layer": f"{max(r['deepest_layer']):g}",
         "events": f"{sum(r['events']):,.0f}", "energy kept, backward Euler": number(euler.kept())})


def measure_response(quick):
    """{"layers" or "decomposition": (times, energies)} of the paper's impact in aluminium."""
    size = ("4", "4", "1") if quick else ("28", "32", "2")
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([str(program("asynchronous_bench")), "impact", *size], cwd=folder,
                       capture_output=True, check=True)
        with open(Path(folder) / "impact.csv", newline="") as file:
            rows = [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]
    times = [row["time"] for row in rows]
    return {name: (times, [row[name] for row in rows]) for name in ("layers", "decomposition")}


def judge_response(data):
    lost = {name: 1 - energy[-1] / energy[0] for name, (_, energy) in data.items()}
    layers = data["layers"][1]
    swing = (max(layers) - min(layers)) / layers[0]
    return Finding({
        "loses": held(lost["decomposition"] > 10 * swing,
                      f"share of the energy that is lost {number(lost['decomposition'])}, the layers' swings "
                      f"{number(swing)}", "ten times as much as those"),
        "keeps": below(abs(lost["layers"]), 0.1 * lost["decomposition"],
                       "share of the energy that layers change")},
        {f"energy at the end, {name}": f"{-100 * share:+.4f} %" for name, share in lost.items()})


# Section 5: which layer law for which contact
SPEEDS = {"resting contact": [0, 0, 0], "impact at 10 m/s": [0, -10, 0], "impact at 30 m/s": [0, -30, 0]}
LAWS = ("resting", "impact")


def law_runs(quick):
    runs = []
    for speed, velocity in SPEEDS.items():
        motion = {"damping.delta": 0.01} if speed == "resting contact" else {"fps": 3000,
                                                                             "gravity": [0, 0, 0]}
        keys = {"bodies[0].velocity": velocity, "frames": [1, 31 if quick else 151], **motion}
        runs += [Run(f"{speed}, law {law}", "avi_sec5.json", {"contact.law": law, **keys})
                 for law in LAWS]
    return runs


def contact_events(result):
    """Events beyond those of free flight, which the quietest frame shows."""
    events = result["events"][1:]
    return sum(events) - min(events) * len(events)


def lowest(result):
    """Height of the lowest point of all frames over the floor (m)."""
    return min(y for points in result.positions() for _, y, _ in points)


def judge_laws(results):
    numbers, count = {}, {}
    for speed in SPEEDS:
        for law in LAWS:
            r = results[f"{speed}, law {law}"]
            count[speed, law] = contact_events(r)
            deepest = max(r["deepest_layer"])
            numbers[r.label] = f"{count[speed, law]:,.0f} contact events, deepest layer {deepest:g}"
    slow, _, fast = SPEEDS
    least = min(map(lowest, results.values()))

    def fewer(speed, law, other):
        ours, theirs = count[speed, law], count[speed, other]
        return held(ours < theirs, f"{ours:,.0f} contact events against {theirs:,.0f}", "fewer")
    return Finding({
        "resting": fewer(slow, "resting", "impact"), "impact": fewer(fast, "impact", "resting"),
        "safe": held(least > 0 and all(r.complete for r in results.values()),
                     f"all runs end, and the lowest point is {number(1000 * least)} mm over the floor",
                     "all, above 0")},
        numbers)


EXPERIMENTS = [
    Experiment(
        "avi_fig1", "AVI, figure 1 and section 6: sphere-plate impact",
        claims={"drift": "The energy of a spherical shell that hits a plate at 100 m/s shows no long-term "
                         "drift,",
                "swings": "only swings of high frequency and low amplitude."},
        setup=("Shell of radius 0.125 m, plate of 0.35 m, layers 0.0035 m thick, as in the paper; nets of "
               "springs as stiff as aluminium of that thickness, 7091 points (quick: 351)."),
        chosen="Elements step at 0.05 of their stable step, layers at 0.02: near the limits the energy "
               "swings by more.",
        runs=impact_runs, judge=judge_impact,
        plots=[Plot("Energy through the impact, asynchronous", "J", column("total", ("asynchronous",))),
               Plot("Energy, both", "J", column("total"))],
        pictures={"asynchronous": [1, 15, 30, 60, 101]}),
    Experiment(
        "avi_dcr", "AVI, figure 1: decomposition contact response beside it",
        claims={"loses": "Decomposition contact response slowly loses energy in the same impact,",
                "keeps": "penalty layers do not."},
        setup=("The same shell and plate, 7091 points (quick: 143), both on the same mesh, the response "
               "with steps of 1e-7 s: `tests/bench/asynchronous_bench impact`."),
        measure=measure_response, judge=judge_response,
        plots=[Plot("Energy through the impact", "J",
                    lambda data: [(name, *series) for name, series in data.items()])]),
    Experiment(
        "avi_sec5", "AVI, section 5: layer laws",
        claims={"resting": "Layers that thin as 1/l suit much contact at low speed;",
                "impact": "as l^-1/4, impacts at high speed.", "safe": "Both are safe and make progress."},
        setup="A soft block on a floor: laid down, or thrown at it at 10 and 30 m/s.",
        chosen="30 m/s: at 10 m/s, where the laws change places, both take about as many events.",
        runs=law_runs, judge=judge_laws,
        plots=[Plot("Events a frame, resting contact", "events",
                    column("events", tuple(f"resting contact, law {x}" for x in LAWS))),
               Plot("Events a frame, impact", "events",
                    column("events", tuple(f"impact at 30 m/s, law {x}" for x in LAWS)))],
        pictures={"impact at 30 m/s, law impact": [1, 5, 10, 20, 31]}),
]
