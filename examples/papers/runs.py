"""Runs scenes through the command line and reads what they report."""
import copy
import csv
import json
import math
import os
import shutil
import signal
import struct
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from machine import Watch

HERE = Path(__file__).resolve().parent
VERVE = os.environ.get("VERVE", str(HERE.parents[1] / "build/release/verve"))


@dataclass
class Run:
    """One run of a scene: what to call it and which keys of the scene it changes."""
    label: str
    scene: str  # in scenes/, or a path
    keys: dict = field(default_factory=dict)
    limit: int = 900  # s of processor time; generous: explosions take long
    mesh: object = None  # written for the run, as the first body's geometry: its write(path) makes a file that ends in its suffix


class Result:
    """What a run left behind. A run that was given up or failed keeps the frames it reached, and says why."""

    def __init__(self, run, folder, message, warnings, seconds, others=math.inf):
        self.label, self.folder, self.seconds, self.others = run.label, folder, seconds, others
        self.message, self.warnings = message, warnings
        self.columns = {}
        report = folder / "report.csv"
        if report.exists():
            with open(report, newline="") as file:
                rows = [row for row in csv.DictReader(file) if None not in row.values()]
            self.columns = {name: [float(row[name]) for row in rows] for name in rows[0]} if rows else {}

    def __getitem__(self, column):
        return self.columns[column]

    def named(self, label):
        """The same result under the name that an experiment gives it."""
        other = copy.copy(self)
        other.label = label
        return other

    @property
    def complete(self):
        return not self.message and bool(self.columns)

    def after(self, seconds):
        """Index of the first frame at or after a time."""
        return next((i for i, t in enumerate(self["time"]) if t >= seconds - 1e-9), len(self["time"]) - 1)

    def kept(self, start=0):
        """Energy at the last frame as a share of that at frame index `start`."""
        energy = self["total"]
        return energy[-1] / energy[start]

    def drift(self, start=0):
        """Largest change of the total energy after frame index `start`, as a share of it."""
        energy = self["total"][start:]
        return max(abs(e - energy[0]) for e in energy) / abs(energy[0])

    def growth(self, start=0):
        energy = self["total"][start:]
        return max(energy) / abs(energy[0])

    def vector_drift(self, prefix):
        """Largest change of momentum (p) or angular momentum (l), as a share of its largest size."""
        vectors = list(zip(*(self[prefix + axis] for axis in "xyz")))
        return max(math.dist(v, vectors[0]) for v in vectors) / max(math.hypot(*v) for v in vectors)

    def positions(self):
        """Points of every frame, [frame][point] -> (x, y, z), by way of a .pc2 point cache."""
        cache = self.folder / "points.pc2"
        subprocess.run([VERVE, "convert", str(self.folder), str(cache)], check=True, capture_output=True)
        data = cache.read_bytes()
        points, = struct.unpack_from("<i", data, 16)
        samples, = struct.unpack_from("<i", data, 28)
        flat = struct.unpack_from(f"<{3 * points * samples}f", data, 32)
        triples = list(zip(flat[0::3], flat[1::3], flat[2::3]))
        return [triples[i * points:(i + 1) * points] for i in range(samples)]


def command_of(run, folder):
    scene = HERE / "scenes" / run.scene
    command = [VERVE, "run", str(scene), "--out", str(folder), "--threads", "1", "--quiet"]
    if run.mesh:
        given = (folder / ("given" + run.mesh.suffix)).resolve()
        run.mesh.write(given)
        command += ["--set", "bodies[0].geometry=" + json.dumps({"file": str(given)})]
    for key, value in run.keys.items():
        command += ["--set", f"{key}={value if isinstance(value, str) else json.dumps(value)}"]
    return command


def perform(run, folder, reuse):
    """Runs one scene, or with `reuse` takes what an earlier run left. One that fails or takes too long is a
    result too: explosions do that."""
    note = folder / "run.json"
    if reuse and note.exists():
        return Result(run, folder, **json.loads(note.read_text()))
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    begin = time.monotonic()
    limited = ["sh", "-c", 'ulimit -St "$0"; exec "$@"', str(run.limit), *command_of(run, folder)]
    with Watch() as watch:
        done = subprocess.run(limited, capture_output=True, text=True)
    lines = done.stderr.strip().splitlines()
    if done.returncode == -signal.SIGXCPU:
        message = f"given up after {run.limit} s"
    else:
        message = "" if done.returncode == 0 else (lines[-1] if lines else f"exit code {done.returncode}")
    outcome = {"message": message, "warnings": [line for line in lines if "warning:" in line],
               "seconds": round(time.monotonic() - begin, 2), "others": round(watch.others, 2)}
    note.write_text(json.dumps(outcome))
    return Result(run, folder, **outcome)


def perform_all(jobs, workers, reuse):
    """Runs (run, folder) pairs side by side and tells of each that ends; results in the order given."""
    def perform_and_tell(job):
        result = perform(*job, reuse)
        ended = result.message or f"{result.seconds:.0f} s"
        print(f"{result.folder.name} ({result.label}): {ended}", file=sys.stderr, flush=True)
        return result
    with ThreadPoolExecutor(workers) as pool:
        return list(pool.map(perform_and_tell, jobs))
