"""AVF paper, table 1: time of a Newton iteration."""
import math
from statistics import median

from avf_common import SCHEMES
from experiment import Experiment, Finding, held
from machine import unless_busy
from runs import Run

MODELS = {"bunny": "avf_fig4.json", "dragon": "avf_fig7.json", "thin sheet": "avf_fig9.json",
          "cloth": "avf_fig6.json", "Ditto": "avf_fig12.json", "twisting bar": "avf_fig10.json"}
PAPER_MS = {"bunny": (193.08, 172.36, 188.47, 145.20), "dragon": (91.48, 77.57, 63.63, 62.14),
            "thin sheet": (201.37, 219.82, 218.45, 200.21), "cloth": (949.16, 951.72, 905.02, 829.65),
            "Ditto": (39.95, 22.24, 26.70, 21.91), "twisting bar": (102.89, 82.63, 79.17, 84.09)}


def cost_runs(quick):
    # Free flight takes no iterations: Ditto's frames begin to count at the floor.
    last = lambda model: 61 if not quick else 17 if model == "Ditto" else 7
    return [Run(f"{model}, {label}", scene, {"frames": [1, last(model)], **keys})
            for model, scene in MODELS.items() for label, keys in SCHEMES.items()]


def iteration_ms(result):
    """All costs of a frame over its Newton iterations, the median frame's."""
    return 1000 * median(s / n for s, n in zip(result["seconds"], result["newton_iterations"]) if n)


def judge_cost(results):
    numbers, ours, theirs = {}, [], []
    for model, paper in PAPER_MS.items():
        ms = [iteration_ms(results[f"{model}, {label}"]) for label in SCHEMES]
        ours.append(3 * ms[0] / sum(ms[1:]))
        theirs.append(3 * paper[0] / sum(paper[1:]))
        numbers[f"{model}: ms of {', '.join(SCHEMES)}"] = ", ".join(f"{m:.3g}" for m in ms)
        numbers[f"{model}: AVF over the mean of the others (paper)"] = f"{ours[-1]:.2f} ({theirs[-1]:.2f})"
    mean, paper = (math.exp(sum(map(math.log, x)) / len(x)) for x in (ours, theirs))
    cost = held(mean <= 1.3, f"geometric mean over the six models {mean:.2f} (paper: {paper:.2f})", "at most 1.3")
    others = sum(r.others * r.seconds for r in results.values()) / sum(r.seconds for r in results.values())
    return Finding({"cost": unless_busy(cost, others)}, numbers)


EXPERIMENTS = [
    Experiment(
        "avf_table1", "AVF, table 1: cost of a Newton iteration",
        claims={"cost": "An AVF iteration costs about 20 % more than those of other implicit schemes."},
        setup=("Six models of the paper's sizes, four schemes, one thread: all costs of a frame over its "
               "Newton iterations, the median frame."),
        runs=cost_runs, judge=judge_cost, timed=True),
]
