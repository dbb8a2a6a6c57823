"""What the papers prove, tried in numbers on a few particles."""
import math

from experiment import Experiment, Finding, below, held, number

# A particle in the plane on a StVK spring to the origin: W = k/2 (|q|^2 - 1)^2, mass 1.
STIFFNESS = 40.0


def pull(q):
    """grad W."""
    s = 2 * STIFFNESS * (q[0] ** 2 + q[1] ** 2 - 1)
    return [s * q[0], s * q[1]]


def pull_slope(q):
    s = 2 * STIFFNESS * (q[0] ** 2 + q[1] ** 2 - 1)
    return [[s + 4 * STIFFNESS * q[0] * q[0], 4 * STIFFNESS * q[0] * q[1]],
            [4 * STIFFNESS * q[0] * q[1], s + 4 * STIFFNESS * q[1] * q[1]]]


def solve2(matrix, right):
    (a, b), (c, d) = matrix
    det = a * d - b * c
    return [(d * right[0] - b * right[1]) / det, (a * right[1] - c * right[0]) / det]


def hp_step(z, h, alpha):
    """HP, equations 4 to 6: M v + h (1 - alpha) grad W(q + alpha h v) = p, by Newton's method."""
    q, p = z[:2], z[2:]
    v = list(p)
    for _ in range(50):
        at = [a + alpha * h * b for a, b in zip(q, v)]
        force, slope = pull(at), pull_slope(at)
        r = [b + h * (1 - alpha) * f - c for b, f, c in zip(v, force, p)]
        weight = h * h * alpha * (1 - alpha)
        matrix = [[(i == j) + weight * slope[i][j] for j in range(2)] for i in range(2)]
        v = [a - d for a, d in zip(v, solve2(matrix, r))]
        if math.hypot(*r) < 1e-14:
            break
    force = pull([a + alpha * h * b for a, b in zip(q, v)])
    return [a + h * b for a, b in zip(q, v)] + [b - h * alpha * f for b, f in zip(v, force)]


def symplectic_error(step, z, e=1e-5):
    """Largest entry of J^T Omega J - Omega, with J the derivative of the map (q, p) -> (q', p')."""
    n = len(z) // 2
    columns = []
    for k in range(2 * n):
        up, down = list(z), list(z)
        up[k] += e
        down[k] -= e
        columns.append([(a - b) / (2 * e) for a, b in zip(step(up), step(down))])

    def omega(a, b):
        return sum(a[i] * b[n + i] - a[n + i] * b[i] for i in range(n))
    return max(abs(omega(columns[i], columns[j]) - (1.0 if j == i + n else 0.0))
               for i in range(2 * n) for j in range(i + 1, 2 * n))


ALPHAS = (0, 0.25, 0.5, 0.75, 1)
START, H = [1.2, 0.1, -0.4, 1.5], 0.05


def measure_hp(quick):
    data = {"symplectic": {}, "momentum": {}, "euler-lagrange": {}}
    for alpha in ALPHAS:
        data["symplectic"][alpha] = symplectic_error(lambda z: hp_step(z, H, alpha), START)
        path = [START]
        for _ in range(200):
            path.append(hp_step(path[-1], H, alpha))
        spin = [z[0] * z[3] - z[1] * z[2] for z in path]
        data["momentum"][alpha] = max(abs(s / spin[0] - 1) for s in spin)
        data["euler-lagrange"][alpha] = max(euler_lagrange(*path[i - 1:i + 2], alpha) for i in range(1, 200))
    return data


def euler_lagrange(before, now, after, alpha):
    """Residual of D2 L(q0, q1) + D1 L(q1, q2) = 0, L = h (|q1 - q0|^2 / 2h^2 - W(q0 + alpha (q1 - q0)))."""
    early = pull([(1 - alpha) * a + alpha * b for a, b in zip(before[:2], now[:2])])
    late = pull([(1 - alpha) * a + alpha * b for a, b in zip(now[:2], after[:2])])
    return max(abs((b - a) / H - H * alpha * e - (c - b) / H - H * (1 - alpha) * f)
               for a, b, c, e, f in zip(before[:2], now[:2], after[:2], early, late))


def judge_hp(data):
    worst = {name: max(values.values()) for name, values in data.items()}
    few, many = count_minima(0.004), count_minima(0.2)
    return Finding({
        "symplectic": below(worst["symplectic"], 1e-7, "off by"),  # the differences' own error is about 1e-9
        "momentum": below(worst["momentum"], 1e-11, "off by"),
        "euler_lagrange": below(worst["euler-lagrange"], 1e-11, "residual"),
        "unique": held(few == 1 < many, f"minima: {few} at h = 0.004 s, {many} at 0.2 s", "one, more")})


# A particle in the double well of AVF's figure 3: E = 1500 (x^2 - 1)^2.
def well(x):
    return 1500 * (x * x - 1) ** 2


def well_slope(x):
    return 6000 * x * (x * x - 1)


def minima(slope, low=-6.0, high=6.0, cells=4000):
    """Where `slope` passes from below to above zero, by bisection."""
    found = []
    for i in range(cells):
        a, b = low + (high - low) * i / cells, low + (high - low) * (i + 1) / cells
        if slope(a) < 0 <= slope(b):
            for _ in range(80):
                middle = (a + b) / 2
                a, b = (middle, b) if slope(middle) < 0 else (a, middle)
            found.append((a + b) / 2)
    return found


def count_minima(h, x0=0.6, v0=-9.0):
    """Local minima of the Lilyan (alpha = 1/2), in positions."""
    return len(minima(lambda x: x - x0 - h * v0 + h * h / 2 * well_slope((x + x0) / 2)))


def avf_ends(h, x0=0.6, v0=-9.0):
    """Every local minimum of AVF's g as a step's end (x, v)."""
    y = x0 + h * v0 - h * h / 12 * well_slope(x0)
    ends = minima(lambda x: x - y + h * h / 3 * well_slope((x0 + x) / 2) + h * h / 12 * well_slope(x))
    return [(x, 2 * (x - x0) / h - v0) for x in ends]


def measure_avf(quick):
    start = well(0.6) + 9.0 ** 2 / 2
    ends = avf_ends(0.2)
    k, h, x0, v0 = 300.0, 0.1, 0.7, 2.0  # a linear force -k x
    mass = 1 + h * h * k / 4
    newmark = (x0 + h * v0 - h * h / 4 * k * x0) / mass
    averaged = (x0 + h * v0 - h * h / 12 * k * x0 - h * h / 3 * k * x0 / 2) / (1 +
                                                                               h * h * k * (1 / 6 + 1 / 12))
    return {"ends": ends, "error": max(abs((well(x) + v * v / 2) / start - 1) for x, v in ends),
            "newmark": abs(averaged - newmark)}


def judge_avf(data):
    return Finding({
        "local": held(len(data["ends"]) > 1 and data["error"] < 1e-9,
                      f"{len(data['ends'])} minima at h = 0.2 s, energy off by {number(data['error'])}",
                      "several, below 1e-9"),
        "newmark": below(data["newmark"], 1e-14, "steps differ by")})


# Three particles on a line, a spring on each pair, each on a clock of its own: the pairs overlap, so that no
# triangulation has them as its elements.
SPRINGS = ((0, 1, 0.010, 1.0), (1, 2, 0.014, 1.0), (0, 2, 0.003, 2.0))


def asynchronous(z, duration=0.21):
    q, p = list(z[:3]), list(z[3:])
    events = sorted((k * h, i) for i, (_, _, h, _) in enumerate(SPRINGS)
                    for k in range(1, int(duration / h) + 1))
    now = 0.0
    for time, i in events:
        q = [a + (time - now) * b for a, b in zip(q, p)]
        now = time
        a, b, h, rest = SPRINGS[i]
        d = q[b] - q[a]
        impulse = h * 2 * STIFFNESS * (d * d - rest * rest) * d
        p[a] += impulse
        p[b] -= impulse
    return [a + (duration - now) * b for a, b in zip(q, p)] + p


def measure_avi(quick):
    start = [-1.1, 0.1, 1.3, 0.5, -0.2, 0.4]
    end = asynchronous(start)
    return {"symplectic": symplectic_error(asynchronous, start),
            "momentum": abs(sum(end[3:]) / sum(start[3:]) - 1)}


def judge_avi(data):
    return Finding({"form": below(data["symplectic"], 1e-7, "off by"),
                    "momentum": below(data["momentum"], 1e-12, "off by")})


EXPERIMENTS = [
    Experiment(
        "hp_proofs", "HP, sections 3 and 4: what is proved",
        claims={"symplectic": "The update (q, p) -> (q', p') is symplectic (4.2).",
                "momentum": "Momenta of symmetries are kept exactly, for every alpha (4.3).",
                "euler_lagrange": "The steps are those of the discrete Euler-Lagrange equations (3.3).",
                "unique": "For small enough steps the Lilyan has one minimum (4.2)."},
        setup=("A particle on a StVK spring, alpha 0, 1/4, 1/2, 3/4 and 1, derivatives by differences; the "
               "last claim in a double well. In the script, not the program."),
        measure=measure_hp, judge=judge_hp),
    Experiment(
        "avf_proofs", "AVF, sections 1 and 3: what is proved",
        claims={"local": "Every local minimum of g keeps the energy exactly, not only the lowest.",
                "newmark": "For linear forces AVF is Newmark's method."},
        setup="A particle in a double well, and one on a linear spring. In the script, not the program.",
        measure=measure_avf, judge=judge_avf),
    Experiment(
        "avi_proofs", "AVI, section 4: multisymplecticity without a triangulation",
        claims={"form": "Potentials on overlapping stencils, each on its own clock, still keep the two-form.",
                "momentum": "and the momentum."},
        setup="Three particles, a spring on every pair, steps of 10, 14 and 3 ms. In the script, not the "
              "program.",
        measure=measure_avi, judge=judge_avi),
]
