"""Runs the papers' experiments and writes the report; see run.sh."""
import argparse
import csv
import difflib
import hashlib
import json
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Callable

import avf_cost
import avf_energy
import avf_motion
import avi
import benches
import beyond
import hp
import mesh
import page
import pictures
import solvers
import theory
from experiment import Experiment, Finding, Unavailable, none_run
from plot import line_plot
from runs import HERE, perform_all

PAPERS = ("hp", "avf", "avi", "beyond")


def of_papers():
    modules = (hp, solvers, avf_energy, avf_motion, avf_cost, avi, theory, benches, beyond)
    return sorted((e for module in modules for e in module.EXPERIMENTS),
                  key=lambda e: PAPERS.index(e.name.split("_")[0]))


def of_validation():
    sys.path.insert(0, str(HERE.parent / "validation"))
    import suite
    return suite.EXPERIMENTS


@dataclass
class Suite:
    """What one report is about."""
    title: str
    experiments: Callable
    coarse: str  # what a quick run is


SUITES = {"papers": Suite("The papers, reproduced", of_papers, "coarser and shorter than the papers"),
          "validation": Suite("Held to figures from elsewhere", of_validation, "coarser and shorter")}


@dataclass
class Done:
    """An experiment after its runs."""
    experiment: Experiment
    results: dict = field(default_factory=dict)  # label -> Result
    data: object = None                          # what judge and plots take; None if there is none
    finding: Finding = None
    plots: list = field(default_factory=list)
    pictures: list = field(default_factory=list)


class Parser(argparse.ArgumentParser):
    """One line and exit code 2, as the program itself does."""

    def error(self, message):
        self.exit(2, f"run.sh: {message}\n")


def nearest(word, known):
    return f"the nearest is '{difflib.get_close_matches(word, known, 1, 0)[0]}'"


def chosen_suite(words):
    """The suite's name and what follows it; the papers if none is named."""
    return (words[0], words[1:]) if words[:1] and words[0] in SUITES else ("papers", words)


def arguments(words, suite, experiments):
    parser = Parser(prog="run.sh", allow_abbrev=False,
                    usage="run.sh [papers | validation] [NAME ...] [options]",
                    description="Runs the papers' experiments, or those held to figures from elsewhere, and writes "
                                "report.html.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="experiments; all if left out")
    parser.add_argument("--quick", action="store_true", help="coarser and shorter, for a few minutes")
    parser.add_argument("--out", type=Path, default=Path("out") / suite, metavar="DIR")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="runs at a time, a thread each")
    parser.add_argument("--mesh", type=Path, metavar="FILE", help="a closed surface in place of the hare")
    parser.add_argument("--reuse", action="store_true", help="take runs that are already in DIR as they are")
    parser.add_argument("--pictures", choices=pictures.WAYS, metavar="HOW",
                        help="blender, builtin or none; blender if it is there, builtin with --quick")
    parser.add_argument("--list", action="store_true", help="name the experiments")
    chosen, unknown = parser.parse_known_args(words)
    known = [e.name for e in experiments]
    options = [name for action in parser._actions for name in action.option_strings]
    for word in unknown:
        parser.error(f"unknown option '{word}'; {nearest(word, options)} (--help names all)")
    for name in chosen.names:
        if name not in known:
            parser.error(f"there is no experiment '{name}'; {nearest(name, known + list(SUITES))} (--list names all)")
    if chosen.mesh and not chosen.mesh.is_file():
        parser.error(f"--mesh: there is no file {chosen.mesh}")
    if chosen.jobs < 1:
        parser.error(f"--jobs {chosen.jobs}: at least 1")
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
            text = (HERE / "scenes" / run.scene).read_text() + json.dumps(run.keys, sort_keys=True)
            text += repr(run.mesh) if run.mesh else ""
            digest = hashlib.sha1(text.encode()).hexdigest()[:8]
            planned[e.name].append((run, chosen.out / "runs" / f"{Path(run.scene).stem}_{digest}"))
    return planned


def execute(experiments, planned, chosen):
    """Runs what is planned, each folder once; what is to be timed runs alone."""
    unique = {folder: run for pairs in planned.values() for run, folder in pairs}
    alone = {folder for e in experiments if e.timed for _, folder in planned[e.name]}
    together = [(run, folder) for folder, run in unique.items() if folder not in alone]
    timed = [(run, folder) for folder, run in unique.items() if folder in alone]
    results = perform_all(together, chosen.jobs, chosen.reuse) + perform_all(timed, 1, chosen.reuse)
    return {result.folder: result for result in results}


def judge(done, quick):
    """Fills in data and finding."""
    e = done.experiment
    empty = [r for r in done.results.values() if not r.columns]
    if empty:
        done.finding = none_run(e, f"{empty[0].label}: {empty[0].message}")
        return
    try:
        done.data = e.measure(quick) if e.measure else done.results
        done.finding = e.judge(done.data)
        assert done.finding.claims.keys() == e.claims.keys(), f"{e.name}: every claim has a verdict"
    except Unavailable as missing:
        done.finding = none_run(e, str(missing))


def plot(done, out):
    """Plots, and their data as CSV."""
    e = done.experiment
    for i, wanted in enumerate(e.plots if done.data else []):
        series = wanted.series(done.data)
        stem = out / f"{e.name}_{i + 1}"
        with open(stem.with_suffix(".csv"), "w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["series", wanted.x_label, f"{wanted.title}, {wanted.y_label}"])
            writer.writerows((label, x, y) for label, xs, ys in series for x, y in zip(xs, ys))
        svg = line_plot(wanted, series)
        if svg:
            stem.with_suffix(".svg").write_text(svg)
            done.plots.append(stem.with_suffix(".svg"))


def illustrate(done, out, way):
    """Filmstrips of the frames that runs reached."""
    e = done.experiment
    for i, (label, frames) in enumerate(e.pictures.items()):
        picture = out / f"{e.name}_frames_{i + 1}.png"
        if drawn := pictures.draw(done.results[label], frames, picture, way):
            done.pictures.append((label, drawn, picture))


def write_verdicts(all_done, file):
    with open(file, "w", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(["experiment", "claim", "verdict", "measured", "wanted", "why"])
        for done in all_done:
            for key, judged in done.finding.claims.items():
                writer.writerow([done.experiment.name, key, judged.verdict, judged.measured, judged.wanted,
                                 judged.why])


def main():
    name, words = chosen_suite(sys.argv[1:])
    suite = SUITES[name]
    known = suite.experiments()
    chosen = arguments(words, name, known)
    if chosen.list:
        print("\n".join(f"{e.name:16} {e.title}" for e in known))
        return 0
    begin = time.monotonic()
    chosen.out.mkdir(parents=True, exist_ok=True)
    way = pictures.way_of(chosen)
    experiments = [e for e in known if not chosen.names or e.name in chosen.names]
    surface = mesh.standing_in(chosen.mesh, chosen.out) if chosen.mesh else None
    planned = plan(experiments, chosen, surface)
    results = execute(experiments, planned, chosen)
    all_done = []
    for e in experiments:
        done = Done(e, {run.label: results[folder].named(run.label) for run, folder in planned[e.name]})
        judge(done, chosen.quick)
        plot(done, chosen.out)
        illustrate(done, chosen.out, way)
        all_done.append(done)
        for key, judged in done.finding.claims.items():
            told = f"{judged.measured}; wanted {judged.wanted}" if judged.measured else judged.why
            print(f"{e.name:16} {key:14} {judged.verdict:15} {told}", flush=True)
    write_verdicts(all_done, chosen.out / "verdicts.csv")
    took = time.monotonic() - begin
    kind = f"Quick run ({suite.coarse})" if chosen.quick else "Full run"
    mesh_told = f" with {chosen.mesh.name} in place of the hare" if chosen.mesh else ""
    heading = f"{kind}{mesh_told}, {took:.0f} s. Every verdict is computed from the data of these runs."
    (chosen.out / "report.html").write_text(page.page(all_done, suite.title, heading))
    print(f"{took:.0f} s; the report is {chosen.out / 'report.html'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
