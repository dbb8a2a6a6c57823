"""What the experiments share: scenes, motions read off frames, and errors against a reference."""
import math
from pathlib import Path

from experiment import held, number

HERE = Path(__file__).resolve().parent


def scene(name):
    return str(HERE / f"{name}.json")


def error(value, reference):
    """As a share of the reference."""
    return abs(value / reference - 1)


def within(value, reference, share, what, unit="", why="", also=True):
    """Reproduced if the value is within a share of the reference."""
    return held(also and error(value, reference) <= share,
                f"{what} {value:.5g}{unit}, off by {100 * error(value, reference):.2g} %",
                f"{reference:.6g}{unit} within {100 * share:g} %", why=why)


def tops(times, values):
    """Local maxima [(time, value)], by the parabola through three samples."""
    found = []
    for i in range(1, len(values) - 1):
        a, b, c = values[i - 1:i + 2]
        if a <= b > c:
            shift = 0.5 * (a - c) / (a - 2 * b + c)
            found.append((times[i] + shift * (times[i + 1] - times[i]), b - (c - a) ** 2 / (8 * (a - 2 * b + c))))
    return found


def swing(times, values, about=None):
    """Angular frequency and damping ratio of one decaying swing a exp(-s t) cos(w t + p) + c, by the linear recurrence
    that equally spaced samples of it satisfy (least squares over all). Samples that many apart are taken that a swing of
    the frequency `about` turns by half a radian or so: nearer ones tell little of the decay and much of the noise."""
    stride = max(1, int(0.5 / (about * (times[1] - times[0])))) if about else 1
    dt = times[stride] - times[0]
    mean = sum(values) / len(values)
    u = [v - mean for v in values]
    # u[k + stride] = b u[k] - d u[k - stride] + e
    rows = [(u[k], -u[k - stride], 1.0, u[k + stride]) for k in range(stride, len(u) - stride)]
    normal = [[sum(r[i] * r[j] for r in rows) for j in range(4)] for i in range(3)]
    for i in range(3):
        pivot = max(range(i, 3), key=lambda k: abs(normal[k][i]))
        normal[i], normal[pivot] = normal[pivot], normal[i]
        for k in range(i + 1, 3):
            f = normal[k][i] / normal[i][i]
            normal[k] = [a - f * b for a, b in zip(normal[k], normal[i])]
    x = [0.0, 0.0, 0.0]
    for i in (2, 1, 0):
        x[i] = (normal[i][3] - sum(normal[i][j] * x[j] for j in range(i + 1, 3))) / normal[i][i]
    b, d, _ = x
    decay = -math.log(d) / (2 * dt)
    turn = math.acos(max(-1.0, min(1.0, b / (2 * math.sqrt(d))))) / dt
    whole = math.hypot(turn, decay)
    return whole, decay / whole


def slow_swing(times, values, low, high):
    """The angular frequency between low and high whose swing, with a constant, takes the most out of the values: for
    motions with much faster ones on top."""
    mean = sum(values) / len(values)

    def taken(w):
        c, s = ([f(w * t) for t in times] for f in (math.cos, math.sin))
        cm, sm = sum(c) / len(c), sum(s) / len(s)
        cc = sum((a - cm) ** 2 for a in c)
        ss = sum((a - sm) ** 2 for a in s)
        cs = sum((a - cm) * (b - sm) for a, b in zip(c, s))
        cv = sum((a - cm) * (v - mean) for a, v in zip(c, values))
        sv = sum((a - sm) * (v - mean) for a, v in zip(s, values))
        return (ss * cv * cv - 2 * cs * cv * sv + cc * sv * sv) / (cc * ss - cs * cs)
    count = 200
    best = max((low + (high - low) * i / count for i in range(count + 1)), key=taken)
    step = (high - low) / count
    while step > 1e-7 * best:
        best = max((best - step, best - step / 2, best, best + step / 2, best + step), key=taken)
        step /= 2
    return best


def told(errors):
    """Errors by what they belong to, as numbers for the report."""
    return {f"error, {label}": f"{100 * e:.3g} %" for label, e in errors.items()}


__all__ = ["scene", "error", "within", "tops", "swing", "slow_swing", "told", "number"]
