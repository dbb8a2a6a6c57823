"""Slender bodies of tets: swings, damping and large deflections of a cantilever, and a ring that rings."""
import math

from experiment import Experiment, Finding, Plot, held, number
from measure import error, scene, slow_swing, swing, told, within
from meshes import Ring
from runs import Run

LINEAR, QUADRATIC = {"bodies[0].element": "linear"}, {"bodies[0].element": "quadratic"}

# --- Modes of a cantilever, and how fast they die away

LENGTH, THICK, YOUNG, DENSITY = 1.0, 0.025, 1e8, 1000.0
STIFF = math.sqrt(YOUNG * THICK ** 2 / 12 / DENSITY)  # sqrt(EI / rho A)
WAVES = (1.875104069, 4.694091133, 7.854757438)       # roots of cos x cosh x = -1
DELTA = 0.001


def cantilever(label, rate, seconds, cells, element, delta):
    return Run(label, scene("cantilever"), {**element, "fps": rate, "frames": [1, round(rate * seconds) + 1],
                                            "bodies[0].geometry.cells": cells, "damping.delta": delta})


def shape(k, s):
    """Mode k of a clamped beam at s from 0 to 1."""
    b = WAVES[k]
    c = (math.cosh(b) + math.cos(b)) / (math.sinh(b) + math.sin(b))
    return math.cosh(b * s) - math.cos(b * s) - c * (math.sinh(b * s) - math.sin(b * s))


def parts(result, count=3):
    """Every frame's share of each mode: least squares over the points on the axis."""
    frames = result.positions()
    axis = [i for i, p in enumerate(frames[0]) if p[0] > -0.4999 and abs(p[1]) < 1e-6 and abs(p[2]) < 1e-6] or \
           [i for i, p in enumerate(frames[0]) if p[0] > -0.4999 and p[1] < 0 and p[2] < 0]
    modes = [[shape(k, frames[0][i][0] + 0.5) for i in axis] for k in range(count)]
    gram = [[sum(a * b for a, b in zip(m, n)) for n in modes] for m in modes]
    inverse = inverted(gram)
    start = [frames[0][i][1] for i in axis]
    out = [[] for _ in range(count)]
    for frame in frames:
        y = [frame[i][1] - s for i, s in zip(axis, start)]
        right = [sum(a * b for a, b in zip(m, y)) for m in modes]
        for k in range(count):
            out[k].append(sum(inverse[k][j] * right[j] for j in range(count)))
    return out


def inverted(matrix):
    n = len(matrix)
    rows = [list(row) + [float(i == j) for j in range(n)] for i, row in enumerate(matrix)]
    for i in range(n):
        pivot = max(range(i, n), key=lambda k: abs(rows[k][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [a / rows[i][i] for a in rows[i]]
        for k in range(n):
            if k != i:
                rows[k] = [a - rows[k][i] * b for a, b in zip(rows[k], rows[i])]
    return [row[n:] for row in rows]


def mode_runs(quick):
    meshes = [("linear, 40 cells", [40, 1, 1], LINEAR), ("quadratic, 20 cells", [20, 1, 1], QUADRATIC)]
    if not quick:
        meshes += [("linear, 80 cells", [80, 2, 2], LINEAR), ("quadratic, 40 cells", [40, 1, 1], QUADRATIC)]
    return [cantilever(name, 960, 0.8, cells, element, 0) for name, cells, element in meshes]


def mode_frequencies(result):
    time = result["time"]
    return [swing(time, values, b * b * STIFF)[0] for b, values in zip(WAVES, parts(result))]


def judge_modes(results):
    wanted = [b * b * STIFF for b in WAVES]
    found = {label: mode_frequencies(r) for label, r in results.items()}
    best = found[[label for label in found if "quadratic" in label][-1]]
    off = {f"mode {k + 1}, {label}": error(v[k], wanted[k]) for label, v in found.items() for k in range(3)}
    return Finding({f"mode{k + 1}": within(best[k], wanted[k], 0.01, "angular frequency", "/s") for k in range(3)}, told(off))


RATES = (24, 30, 60, 120, 240, 960)


def damping_runs(quick):
    return [cantilever(f"{rate} steps a second", rate, 3, [20, 1, 1], QUADRATIC, DELTA)
            for rate in ((24, 60, 120) if quick else RATES)]


def ratios(result):
    """Damping ratios of the first two modes: the decay rate (1/s) over the mode's true frequency."""
    values = parts(result)
    out = []
    for k in range(2):
        true = WAVES[k] ** 2 * STIFF
        w, z = swing(result["time"], values[k], true)
        out.append(w * z / true)
    return out


def judge_damping(results):
    found = {label: ratios(r) for label, r in results.items()}
    wanted = [DELTA / 2 * WAVES[k] ** 2 * STIFF for k in range(2)]
    claims = {}
    for k in range(2):
        worst = max(found, key=lambda label: error(found[label][k], wanted[k]))
        claims[f"mode{k + 1}"] = within(found[worst][k], wanted[k], 0.03, f"{worst}: damping ratio")
    return Finding(claims, told({f"mode {k + 1}, {label}": error(v[k], wanted[k]) for label, v in found.items()
                                 for k in range(2)}))


# --- Elastica

TIP = {1: (0.3017, 0.9436), 2: (0.4935, 0.8394), 5: (0.7138, 0.6124), 10: (0.8106, 0.4450)}
OWN = {1: (0.1235, 0.9912), 10: (0.7002, 0.6564), 100: (0.9375, 0.1592)}
MODULUS, SIDE = 1.2e9, 0.01  # EI = 1 N m^2


def elastica(label, load, own, cells, element):
    """`load` is P L^2 / EI, or rho g A L^3 / EI where it is the beam's `own`."""
    keys = {"gravity": [0, -load / (1000 * SIDE ** 2), 0], "bodies[0].forces": []} if own else \
           {"bodies[0].forces[0].force": [0, -load, 0]}
    return Run(label, scene("elastica"), {**element, **keys, "bodies[0].geometry.cells": cells})


def elastica_runs(quick):
    loads = [(load, False) for load in TIP] + [(load, True) for load in OWN]
    meshes = [("20", [20, 1, 1], QUADRATIC)] if quick else [
        ("10", [10, 1, 1], QUADRATIC), ("20", [20, 1, 1], QUADRATIC), ("40", [40, 1, 1], QUADRATIC),
        ("linear 100", [100, 2, 2], LINEAR)]
    return [Run(f"as modelled, {name} cells", scene("elastica"),
                {**element, "bodies[0].geometry.cells": cells, "bodies[0].settle": False, "frames": [1, 1]})
            for name, cells, element in meshes] + \
           [elastica(f"{'own weight' if own else 'tip load'} {load}, {name} cells", load, own, cells, element)
            for name, cells, element in meshes for load, own in loads if name != "linear 100" or load in (2, 10)]


def tip(result, model):
    """(drop, x) of the tip's middle, as shares of the length."""
    ends = [i for i, p in enumerate(model.positions()[0]) if p[0] > 0.4999]
    last = result.positions()[-1]
    x, y = (sum(last[i][axis] for i in ends) / len(ends) for axis in (0, 1))
    return -y, x + 0.5


FAR = {"tip load 10", "own weight 100"}


def judge_elastica(results):
    off, still = {}, {}
    for label, r in results.items():
        if "modelled" in label or not r.columns:
            continue
        load = int(label.split(",")[0].split()[-1])
        drop, x = tip(r, results["as modelled," + label.split(",")[1]])
        wanted = (OWN if "own" in label else TIP)[load]
        off[label] = max(abs(drop - wanted[0]), abs(x - wanted[1]))
        still[label] = max(r["kinetic"]) / r["elastic"][-1]
    finest = [label for label in off if "linear" not in label][-1].split(", ")[1]

    def worst(chosen):
        label = max((k for k in off if k.endswith(", " + finest) and chosen(k)), key=off.get)
        return held(off[label] <= 0.01, f"{label}: tip off by {100 * off[label]:.2g} % of the length", "within 1 %",
                    why="The error falls with the cells; see below.")
    return Finding({"tip": worst(lambda k: "tip" in k and k.split(",")[0] not in FAR),
                    "own": worst(lambda k: "own" in k and k.split(",")[0] not in FAR),
                    "far": worst(lambda k: k.split(",")[0] in FAR)},
                   told(off) | {f"largest kinetic over elastic energy in the twelve frames after, {k}": number(v)
                              for k, v in still.items()})


# --- Ring

RADIUS, SECTION = 0.5, 0.02


def ring_runs(quick):
    return [Run(f"{name}, {n} cells", scene("ring"), element, mesh=Ring((n, 1, 1), RADIUS, SECTION))
            for name, element, counts in (("quadratic", QUADRATIC, (48,) if quick else (24, 48, 96)), ("linear", LINEAR, (48,)))
            for n in counts]


def oval(result):
    """How oval the ring is in every frame: the part cos 2 theta of the radius (m)."""
    frames = result.positions()
    weight = [(math.cos(2 * math.atan2(y, x)), math.hypot(x, y)) for x, y, _ in frames[0]]
    return [2 * sum(c * math.hypot(x, y) for (c, _), (x, y, _) in zip(weight, frame)) / len(frame) for frame in frames]


def judge_ring(results):
    n = 2
    wanted = n * (n * n - 1) / math.sqrt(n * n + 1) * math.sqrt(1e8 * SECTION ** 2 / 12 / 1000) / RADIUS ** 2
    found = {label: slow_swing(r["time"], oval(r), wanted / 2, 2 * wanted) for label, r in results.items()}
    best = [label for label in found if "quadratic" in label][-1]
    return Finding({"oval": within(found[best], wanted, 0.01, f"{best}: angular frequency", "/s")},
                   told({label: error(v, wanted) for label, v in found.items()}))


EXPERIMENTS = [
    Experiment(
        "modes", "Cantilever: its first three modes",
        claims={f"mode{k + 1}": f"Mode {k + 1} swings at {b * b:.4g} sqrt(EI / (rho A L^4))." for k, b in enumerate(WAVES)},
        setup="A beam of 1 x 0.025 x 0.025 m, nu 0, thrown sideways at 1 cm/s with one end held; 960 steps a second. Linear tets "
              "lock in bending and say so below; quadratic ones (`element`) are the cure. Reference: Euler and Bernoulli's beam. "
              "Tolerance 1 %: shear and rotary inertia, which that beam leaves out, take 0.05 %, 0.2 % and 0.5 %.",
        runs=mode_runs, judge=judge_modes,
        plots=[Plot("Part along the second mode", "m", lambda rs: [(k, r["time"], parts(r)[1]) for k, r in rs.items()])]),
    Experiment(
        "mode_damping", "Cantilever: the damping that was asked for, at every step",
        claims={f"mode{k + 1}": f"Mode {k + 1} has the damping ratio delta w/2 from 24 to 960 steps a second." for k in (0, 1)},
        setup="The same beam of twenty quadratic cells with delta 0.001. The decay is fitted to the motion's part along each mode; "
              "at 24 steps a second the second mode has three steps a swing. Reference: Rayleigh damping of one mode. Tolerance: "
              "3 %, the promise made to artists.",
        runs=damping_runs, judge=judge_damping,
        plots=[Plot("Part along the first mode", "m", lambda rs: [(k, r["time"], parts(r)[0]) for k, r in rs.items()])]),
    Experiment(
        "elastica", "Elastica: a cantilever of tets bent far",
        claims={"tip": "Under tip loads P L^2/EI of 1, 2 and 5 the tip is where the elastica has it.",
                "own": "Under its own weight too, rho g A L^3/EI of 1 and 10.",
                "far": "Under a tip load of 10 and an own weight of 100 too."},
        setup="A beam of 1 x 0.01 x 0.01 m, nu 0, at rest under its load (settle). Reference: "
              "Bisshopp and Drucker 1945 (tip load); the same equation solved for own weight. Tolerance: 1 % of the length; the "
              "references have four digits.",
        runs=elastica_runs, judge=judge_elastica),
    Experiment(
        "ring", "Rubber ring: how it rings",
        claims={"oval": "Let go as an oval it swings at 6/sqrt(5) sqrt(EI / (rho A R^4))."},
        setup="A ring of radius 0.5 m and a section of 2 x 2 cm, stretched by 0.05 % along x: more, and the tension of its breathing would be felt. Reference: inextensional bending of a "
              "thin ring (Hoppe 1871; Love, chapter 21). Tolerance 1 %; what the thin ring leaves out is (h/R)^2, 0.2 %.",
        runs=ring_runs, judge=judge_ring,
        plots=[Plot("Part cos 2 theta of the radius", "m", lambda rs: [(k, r["time"], oval(r)) for k, r in rs.items()])]),
]
