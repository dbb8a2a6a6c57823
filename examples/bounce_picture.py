"""The same soft box dropped at different frame rates, as a plot:  python3 examples/bounce_picture.py PLOT.svg

One step a frame swallows the impact and with it the damping; steps that suit the motion (the default) do not."""
import csv
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "papers"))
from plot import line_plot  # noqa: E402

VERVE = os.environ.get("VERVE", str(HERE.parent / "build/release/verve"))
WEIGHT = 9.81 * 100 * 0.5**3  # of the box


def heights(fps, substeps):
    """Time, and height of the box's lower side over the floor if it were not deformed."""
    with tempfile.TemporaryDirectory() as out:
        changes = {"fps": fps, "substeps": substeps, "frames": [1, int(1.2 * fps) + 1], "damping.delta": 0.02,
                   "output.every": 100000, "output.checkpoint_every": 0}
        command = [VERVE, "run", str(HERE / "papers/scenes/bounce.json"), "--out", out, "--quiet", "--overwrite"]
        for key, value in changes.items():
            command += ["--set", f"{key}={value}"]
        subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
        with open(Path(out) / "report.csv", newline="") as file:
            rows = list(csv.DictReader(file))
    return [float(r["time"]) for r in rows], [float(r["gravity"]) / WEIGHT - 0.25 for r in rows]


def main():
    runs = [("24 frames a second, auto", 24, "auto"), ("24, one step a frame", 24, 1),
            ("60, auto", 60, "auto"), ("60, one step a frame", 60, 1), ("3840 steps a second", 240, 16)]
    series = [(label, *heights(fps, substeps)) for label, fps, substeps in runs]
    plot = SimpleNamespace(title="A soft box falls by a metre, delta 0.02 s", x_label="s", y_label="m", log=False, dots=False)
    Path(sys.argv[1]).write_text(line_plot(plot, series) + "\n")


main()
