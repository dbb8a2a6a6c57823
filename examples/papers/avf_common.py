"""What the experiments of the AVF paper share: schemes and measures."""
import math

SCHEMES = {"AVF": {}, "implicit midpoint": {"integrator.type": "implicit_midpoint"},
           "Newmark": {"integrator.type": "newmark"}, "backward Euler": {"integrator.type": "backward_euler"}}
MIDPOINT, EULER = SCHEMES["implicit midpoint"], SCHEMES["backward Euler"]
GOLD = {"integrator.type": "symplectic_euler", "substeps": 1000}
STEP = "h = 0.033 s as in the paper. "
KNOT_QUICK = {"frames": [1, 61], "bodies[0].geometry.spacing": 0.15}


def relative(start=0):
    """Series of the total energy from frame index `start`, over its value there."""
    def series(results):
        return [(label, r["time"][start:], [e / r["total"][start] for e in r["total"][start:]])
                for label, r in results.items() if len(r["total"]) > start]
    return series


def passes(result, factor, start):
    """First frame whose energy is beyond factor times that at index start, or None."""
    most = factor * result["total"][start]
    return next((int(f) for f, e in zip(result["frame"][start:], result["total"][start:]) if e > most), None)


def distances(frames, truth):
    """Root mean square distance of every frame's points from the true ones (m)."""
    return [math.sqrt(sum(math.dist(a, b) ** 2 for a, b in zip(points, right)) / len(right))
            for points, right in zip(frames, truth)]


def roughness(points, side):
    """Wrinkles of a sheet's grid: root mean square of the second differences along both directions (m)."""
    def second(a, b, c):
        return sum((p - 2 * q + r) ** 2 for p, q, r in zip(a, b, c))
    total = sum(second(points[i * side + j - 1], points[i * side + j], points[i * side + j + 1]) +
                second(points[(i - 1) * side + j], points[i * side + j], points[(i + 1) * side + j])
                for i in range(1, side - 1) for j in range(1, side - 1))
    return math.sqrt(total / (side - 2) ** 2)


def late_roughness(result, frames):
    positions = result.positions()
    side = round(math.sqrt(len(positions[0])))
    return sum(roughness(positions[f - 1], side) for f in frames) / len(frames)
