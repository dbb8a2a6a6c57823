"""Runs the papers' experiments and writes the report; see run.sh."""
import argparse
import csv
import hashlib
import json
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import avf
import avi
import beyond
import hp
import mesh
import page
from experiment import NOT_RUN, Experiment, Finding
from plot import line_plot
from runs import HERE, draw, perform_all

EXPERIMENTS = hp.EXPERIMENTS + avf.EXPERIMENTS + avi.EXPERIMENTS + beyond.EXPERIMENTS


@dataclass
class Done:
    """An experiment after its runs."""
    experiment: Experiment
    results: dict = field(default_factory=dict)
    finding: Finding = None
    plots: list = field(default_factory=list)
    pictures: list = field(default_factory=list)


def arguments():
    parser = argparse.ArgumentParser(prog="run.sh", description="Runs the papers' experiments and writes report.html.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="experiments; all if left out")
    parser.add_argument("--quick", action="store_true", help="coarser and shorter, for a few minutes")
    parser.add_argument("--out", type=Path, default=Path("out/papers"))
    parser.add_argument("--jobs", type=int, default=2, help="runs at a time, a thread each")
    parser.add_argument("--mesh", type=Path, help="a closed surface in place of the hare")
    parser.add_argument("--list", action="store_true", help="name the experiments")
    chosen = parser.parse_args()
    known = [e.name for e in EXPERIMENTS]
    for name in chosen.names:
        if name not in known:
            parser.error(f"there is no experiment '{name}'; there are {', '.join(known)}")
    return chosen


def with_mesh(run, surface):
    """The run with the given surface where the scene has a hare."""
    geometry = json.loads((HERE / "scenes" / run.scene).read_text())["bodies"][0]["geometry"]
    if surface and geometry.get("shape") == "hare":
        spacing = run.keys.pop("bodies[0].geometry.spacing", geometry["spacing"])
        run.keys["bodies[0].geometry"] = {"file": str(surface), "fill": True, "spacing": spacing}
    return run


def plan(experiments, chosen, surface):
    """Every experiment's runs with their folders; equal runs of several experiments share one."""
    planned = {}
    for e in experiments:
        planned[e.name] = []
        for run in e.runs(chosen.quick) if e.runs else []:
            run = with_mesh(run, surface)
            digest = hashlib.sha1(json.dumps([run.scene, run.keys]).encode()).hexdigest()[:8]
            planned[e.name].append((run, chosen.out / "runs" / f"{Path(run.scene).stem}_{digest}"))
    return planned


def execute(planned, jobs):
    """Runs what is planned, each folder once; what is to be timed runs alone."""
    unique = {folder: run for pairs in planned.values() for run, folder in pairs}
    alone = {folder for run, folder in planned.get("avf_table1", [])}
    together = [(run, folder) for folder, run in unique.items() if folder not in alone]
    timed = [(run, folder) for folder, run in unique.items() if folder in alone]
    results = perform_all(together, jobs) + perform_all(timed, 1)
    return {result.folder: result for result in results}


def judge(e, results):
    if e.elsewhere:
        return e.elsewhere
    empty = [r for r in results.values() if not r.columns]
    if empty:
        return Finding(NOT_RUN, {}, f"{empty[0].label}: {empty[0].message}")
    return e.judge(results)


def illustrate(done, out):
    """Plots with their data as CSV, and filmstrips."""
    e, usable = done.experiment, {label: r for label, r in done.results.items() if r.columns}
    for i, plot in enumerate(e.plots if len(usable) == len(done.results) else []):
        series = plot.series(usable)
        svg = line_plot(plot.title, plot.x_label, plot.y_label, series, plot.log, plot.limits)
        stem = out / f"{e.name}_{i + 1}"
        with open(stem.with_suffix(".csv"), "w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["series", plot.x_label, f"{plot.title}, {plot.y_label}"])
            writer.writerows((label, x, y) for label, xs, ys in series for x, y in zip(xs, ys))
        if svg:
            stem.with_suffix(".svg").write_text(svg)
            done.plots.append(stem.with_suffix(".svg"))
    for i, (label, frames) in enumerate(e.pictures.items()):
        picture = out / f"{e.name}_frames_{i + 1}.png"
        if label in usable and (drawn := draw(usable[label], frames, picture)):
            done.pictures.append((label, drawn, picture))


def main():
    chosen = arguments()
    if chosen.list:
        print("\n".join(f"{e.name:20} {e.title}" for e in EXPERIMENTS))
        return 0
    begin = time.monotonic()
    chosen.out.mkdir(parents=True, exist_ok=True)
    experiments = [e for e in EXPERIMENTS if not chosen.names or e.name in chosen.names]
    surface = mesh.standing_in(chosen.mesh, chosen.out) if chosen.mesh else None
    planned = plan(experiments, chosen, surface)
    results = execute(planned, chosen.jobs)
    all_done = []
    for e in experiments:
        done = Done(e, {run.label: results[folder].named(run.label) for run, folder in planned[e.name]})
        done.finding = judge(e, done.results)
        illustrate(done, chosen.out)
        all_done.append(done)
        print(f"{e.name:20} {done.finding.verdict}")
        for name, value in done.finding.numbers.items():
            print(f"    {name}: {value}")
    with open(chosen.out / "verdicts.csv", "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["experiment", "verdict", "number", "value"])
        for done in all_done:
            for name, value in done.finding.numbers.items() or [("", "")]:
                writer.writerow([done.experiment.name, done.finding.verdict, name, value])
    took = time.monotonic() - begin
    kind = "Quick run (coarser and shorter than the papers)" if chosen.quick else "Full run"
    heading = f"{kind}, {took:.0f} s. Every verdict is computed from the runs' report.csv."
    (chosen.out / "report.html").write_text(page.page(all_done, heading))
    print(f"{took:.0f} s; the report is {chosen.out / 'report.html'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
