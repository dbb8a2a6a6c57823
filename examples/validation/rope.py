"""Ropes: where they hang, how they swing, and how far they bend."""
import math

from experiment import Experiment, Finding, Plot, held, number
from beams import OWN, TIP
from measure import error, scene, swing, told, within
from runs import Run

SPAN, G = 0.6, 9.81
ZEROS = (2.404825558, 5.520078110)  # of the Bessel function J0


def rope(name, label, cells, **keys):
    return Run(label, scene(name), {**keys, "bodies[0].geometry.cells": cells})


def catenary():
    """(a, sag) of y = a cosh(x / a) with length 1 over the span."""
    low, high = 0.05, 5.0
    for _ in range(100):
        a = (low + high) / 2
        low, high = (a, high) if 2 * a * math.sinh(SPAN / 2 / a) > 1 else (low, a)
    return a, a * (math.cosh(SPAN / 2 / a) - 1)


def hanging_runs(quick):
    return [rope("catenary", f"{n} links", n) for n in (10, 20, 40)]


def judge_hanging(results):
    _, sag = catenary()
    ours = {label: -min(p[1] for p in r.positions()[-1]) for label, r in results.items()}
    off = {label: error(value, sag) for label, value in ours.items()}
    still = results["40 links"]["kinetic"][-1]
    return Finding({"sag": within(ours["40 links"], sag, 0.01, "sag", " m", also=still < 1e-12)},
                   told(off) | {"kinetic energy at the end (J)": number(still)})


def hanging_shapes(results):
    a, sag = catenary()
    xs = [SPAN * (i / 100 - 0.5) for i in range(101)]
    last = results["40 links"].positions()[-1]
    return [("catenary", xs, [a * math.cosh(x / a) - a - sag for x in xs]),
            ("40 links", [p[0] for p in last], [p[1] for p in last])]


RATES = {"24 steps a second": {"fps": 24, "frames": [1, 121]}, "240 steps a second": {"fps": 240, "frames": [1, 1201]}}


def swinging_runs(quick):
    return [rope("chain", f"{n} links, {name}", n, **keys) for n in (10, 20, 40) for name, keys in RATES.items()
            if not quick or n == 20]


def bessel0(x):
    return sum((-1) ** k * (x / 2) ** (2 * k) / math.factorial(k) ** 2 for k in range(40))


def part(frames, zero):
    """How much of a mode J0(zero sqrt(1 - s)) there is in every frame; s is the way down from the pin."""
    down = [0.5 - p[1] for p in frames[0]]
    weights = [(0.5 if s > 1 - 1e-6 else 1.0) * bessel0(zero * math.sqrt(max(0.0, 1 - s))) for s in down]
    return [sum(w * p[0] for w, p in zip(weights, frame)) for frame in frames]


def measure_swings(results):
    return {label: [swing(r["time"], part(r.positions(), zero))[0] for zero in ZEROS] for label, r in results.items()}


def judge_swinging(results):
    wanted = [zero / 2 * math.sqrt(G) for zero in ZEROS]
    found = measure_swings(results)
    finest = max(label for label in found if "240" in label)
    off = {f"mode {k + 1}, {label}": error(values[k], wanted[k]) for label, values in found.items() for k in (0, 1)}
    return Finding({f"mode{k + 1}": within(found[finest][k], wanted[k], 0.01 if k == 0 else 0.02,
                                           f"{finest}: angular frequency", "/s") for k in (0, 1)}, told(off))


def bent(label, cells, load, own):
    """A rope of length 1 from half-way between its first two points, which are held; its weight is not felt beside a load."""
    h = 1 / (cells + 0.5)
    keys = {"bodies[0].geometry.length": h * (cells + 1), "bodies[0].geometry.cells": cells + 1}
    if own:
        keys["gravity"] = [0, -load * RIGIDITY / DENSITY, 0]
    else:
        keys["bodies[0].forces"] = [{"points": [cells + 1], "force": [0, -load * RIGIDITY, 0]}]
    return Run(label, scene("bent_rope"), keys)


RIGIDITY, DENSITY = 0.001, 0.01  # N m^2, kg/m


def bending_runs(quick):
    loads = [(load, False) for load in TIP] + [(load, True) for load in OWN]
    return [bent(f"{'own weight' if own else 'tip load'} {load}, {n} cells", n, load, own)
            for n in ((16,) if quick else (8, 16, 32)) for load, own in loads]


def judge_bending(results):
    off = {}
    for label, r in results.items():
        load, points = int(label.split(",")[0].split()[-1]), r.positions()[0]
        wanted = (OWN if "own" in label else TIP)[load]
        x, y = points[-1][0] - (points[0][0] + points[1][0]) / 2, points[-1][1]
        off[label] = max(abs(-y - wanted[0]), abs(x - wanted[1]))
    at16 = {label: value for label, value in off.items() if label.endswith(" 16 cells")}

    def worst(kind):
        label = max((k for k in at16 if kind in k), key=at16.get)
        return held(at16[label] <= 0.01, f"{label}: tip off by {100 * at16[label]:.2g} % of the length", "within 1 %")
    return Finding({"tip": worst("tip"), "own": worst("own")}, told(off))


EXPERIMENTS = [
    Experiment(
        "rope_elastica", "Elastica: a rope bent far",
        claims={"tip": "Under tip loads P L^2/EI of 1, 2, 5 and 10 the tip is where the elastica has it, at 16 cells.",
                "own": "Under its own weight too, q L^3/EI of 1, 10 and 100."},
        setup="A rope with EI 0.001 N m^2 and EA 1000 N, at rest (`settle`); its first two points are held, and the clamp is half-way "
              "between them. Reference and tolerance are those of the elastica of tets.",
        runs=bending_runs, judge=judge_bending),
    Experiment(
        "catenary", "Rope: catenary",
        claims={"sag": "A rope of 1 m over 0.6 m hangs as a catenary, 0.3628 m deep."},
        setup="A rope with EA 5000 N and no bending, weight 1 N, let down in thick air until it is at rest. Reference: y = a "
              "cosh(x/a) (Bernoulli, Huygens, Leibniz 1691). Tolerance: the bar of static shapes, 1 %; the reference is exact "
              "but for the rope's own stretch, 0.01 %.",
        runs=hanging_runs, judge=judge_hanging,
        plots=[Plot("Shape", "m", hanging_shapes, x_label="m")],
        pictures={"40 links": [1, 5, 20, 60, 241]}),
    Experiment(
        "chain", "Rope: swinging chain",
        claims={"mode1": "The slowest swing of a chain has the frequency 2.4048/2 sqrt(g/L).",
                "mode2": "The second has 5.5201/2 sqrt(g/L)."},
        setup="A hanging chain of 1 m is pushed sideways by 5 cm/s; delta 0.01 takes the trembling along it, which does not "
              "belong to the equation x_tt = g (s x_s)_s. Frequencies are those of the motion's parts along the modes "
              "J0(z sqrt(s/L)). Reference: Daniel Bernoulli 1733; exact for small swings. Tolerance: 1 %, the bar of modes, and "
              "2 % for the second, of which ten links have a fifth of a wave each.",
        runs=swinging_runs, judge=judge_swinging,
        plots=[Plot("Part along the slowest mode", "m",
                    lambda rs: [(k, r["time"], part(r.positions(), ZEROS[0])) for k, r in rs.items() if "20" in k])],
        pictures={"20 links, 24 steps a second": [1, 6, 11, 16, 21]}),
]
