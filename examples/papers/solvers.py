"""AVF paper, figures 2 and 3: one particle, one step, and where a root finder ends from a grid of starts."""
import math

from experiment import Experiment, Finding, Plot, held


# Figure 2: the midpoint discrete gradient of E = 128 x^4, two equations in (x, v)
STATE = (-1.10, 12.25)


def discrete_gradient(h):
    def energy(x, v):
        return 128 * x ** 4 + v * v / 2

    def residual(z):
        d = (z[0] - STATE[0], z[1] - STATE[1])
        middle = ((z[0] + STATE[0]) / 2, (z[1] + STATE[1]) / 2)
        g = (512 * middle[0] ** 3, middle[1])
        size = d[0] ** 2 + d[1] ** 2
        gap = (energy(*z) - energy(*STATE) - g[0] * d[0] - g[1] * d[1]) / size if size else 0.0
        return (d[0] - h * (g[1] + gap * d[1]), d[1] + h * (g[0] + gap * d[0]))
    return residual


def jacobian(residual, z, e=1e-6):
    rows = []
    for dx, dv in ((e, 0), (0, e)):
        up, down = residual((z[0] + dx, z[1] + dv)), residual((z[0] - dx, z[1] - dv))
        rows.append([(a - b) / (2 * e) for a, b in zip(up, down)])
    return rows  # derivatives by x, by v


def find_pair(residual, z):
    """Levenberg's form of Newton's method: it goes down the sum of squares until a minimum, which need not be
    a root. Gives what is left of the residual."""
    damping = 1e-3
    for _ in range(2000):
        r, (by_x, by_v) = residual(z), jacobian(residual, z)
        slope_x, slope_v = (sum(a * b for a, b in zip(d, r)) for d in (by_x, by_v))
        xx, xv, vv = (sum(a * b for a, b in zip(*pair))
                      for pair in ((by_x, by_x), (by_x, by_v), (by_v, by_v)))
        while damping < 1e12:
            det = (xx + damping) * (vv + damping) - xv * xv
            trial = (z[0] - ((vv + damping) * slope_x - xv * slope_v) / det,
                     z[1] - ((xx + damping) * slope_v - xv * slope_x) / det)
            if math.hypot(*residual(trial)) < math.hypot(*r):
                break
            damping *= 4
        else:
            break
        z, damping = trial, damping / 3
        if math.hypot(*residual(z)) < 1e-9:
            break
    return math.hypot(*residual(z))


def starts_of(h):
    """(x, v, solved) for a grid of starts, and whether the usual guess x0 + h v0 is solved."""
    residual = discrete_gradient(h)
    grid = [(-3 + 0.25 * i, -60 + 10.0 * j) for i in range(25) for j in range(13)]
    return ([(x, v, find_pair(residual, (x, v)) < 1e-6) for x, v in grid],
            find_pair(residual, (STATE[0] + h * STATE[1], STATE[1])) < 1e-6)


def measure_figure_2(quick):
    return {h: starts_of(h) for h in (0.033, 0.0066)}


def judge_figure_2(data):
    def stuck(h, met, wanted):
        ends = [solved for _, _, solved in data[h][0]]
        return held(met(ends.count(False)), f"stuck from {ends.count(False)} of {len(ends)} starts", wanted)
    return Finding({"stuck": stuck(0.033, lambda n: n > 0, "some"),
                    "small": stuck(0.0066, lambda n: n == 0, "none")},
                   {f"the usual guess x0 + h v0 at h = {h} s": "solved" if guess else "stuck"
                    for h, (_, guess) in data.items()})


def start_dots(h):
    def series(data):
        chosen = [(name, [(x, v) for x, v, solved in data[h][0] if solved == wanted])
                  for name, wanted in (("solved", True), ("stuck", False))]
        return [(name, *zip(*starts)) for name, starts in chosen if starts]
    return series


# Figure 3: AVF's own equation for E = 10 x + 1500 (x^2 - 1)^2
X0, V0, H = 0.6, -9.0, 0.04


def slope(x):
    return 10 + 6000 * x * (x * x - 1)


def curvature(x):
    return 6000 * (3 * x * x - 1)


def potential(x):
    return 10 * x + 1500 * (x * x - 1) ** 2


Y = X0 + H * V0 - H * H / 12 * slope(X0)


def g(x):
    return (x - Y) ** 2 / 2 + 2 * H * H / 3 * potential((X0 + x) / 2) + H * H / 12 * potential(x)


def equation(x):
    return x - Y + H * H / 3 * slope((X0 + x) / 2) + H * H / 12 * slope(x)


def derivative(x):
    return 1 + H * H / 6 * curvature((X0 + x) / 2) + H * H / 12 * curvature(x)


def solve(x, merit, steepness):
    """Newton's method from x with a line search on `merit`; `steepness` is what divides -F."""
    for _ in range(200):
        direction, step = -equation(x) / steepness(x), 1.0
        while merit(x + step * direction) >= merit(x) - 1e-4 * step * abs(equation(x) * direction):
            step /= 2
            if step < 1e-12:
                return x
        x += step * direction
    return x


def minimise(x):
    return solve(x, g, lambda z: max(abs(derivative(z)), 1e-6))


def find_root(x):
    return solve(x, lambda z: equation(z) ** 2, lambda z: derivative(z) or 1e-12)


def measure_figure_3(quick):
    starts = [-3 + 0.02 * i for i in range(301)]
    return {"starts": starts, "minimising g": [minimise(x) for x in starts],
            "root finding": [find_root(x) for x in starts]}


def judge_figure_3(data):
    def missed(name):
        return [x for x in data[name] if abs(equation(x)) > 1e-5]
    lost, total = missed("root finding"), len(data["starts"])
    where = f", ending between {min(lost):.2f} and {max(lost):.2f}" if lost else ""
    return Finding({
        "root": held(lost, f"{len(lost)} of {total} starts fail{where}", "some"),
        "minimum": held(not missed("minimising g"), f"{len(missed('minimising g'))} of {total} starts fail",
                        "none")},
        {"the root": f"{minimise(0.6):.6f} (paper: close to 1.0)"})


def curves(data):
    xs = [-2 + 0.02 * i for i in range(201)]
    return [(name, xs, [f(x) / max(abs(f(x)) for x in xs) for x in xs])
            for name, f in (("F", equation), ("F squared", lambda x: equation(x) ** 2), ("g", g))]


EXPERIMENTS = [
    Experiment(
        "avf_fig2", "AVF, figure 2: root finding on the midpoint discrete gradient",
        claims={"stuck": "At h = 0.033 s the root finder gets stuck in a local minimum of the merit "
                         "function.",
                "small": "At h = 0.0066 s the problem is gone."},
        setup=("E = 128 x^4, state (-1.10, 12.25); Levenberg's form of Newton's method goes down the merit "
               "function from 325 starts. The figure's caption says 0.003 s, the text 0.033 s; we take the "
               "text's."),
        measure=measure_figure_2, judge=judge_figure_2,
        plots=[Plot(f"Starts at h = {h} s", "v", start_dots(h), "x", dots=True) for h in (0.033, 0.0066)]),
    Experiment(
        "avf_fig3", "AVF, figure 3: root finding against minimising",
        claims={"root": "Newton's method on F with the merit function F^2 fails from some starts.",
                "minimum": "Minimising g reaches the root from every start."},
        setup="E = 10 x + 1500 (x^2 - 1)^2, x0 = 0.6, v0 = -9, h = 0.04 s as in the paper; 301 starts "
              "between -3 and 3.",
        measure=measure_figure_3, judge=judge_figure_3,
        plots=[Plot("F, F squared and g", "share of the largest", curves, "x"),
               Plot("Where the solvers "
                    "end", "x", lambda d: [(n, d["starts"], d[n]) for n in d if n != "starts"],
                    "start", dots=True)]),
]
