"""The bouncing bar once more, with waves that no mesh smears: how long the exact motion can be followed at all.

Keller's box scheme at Courant's number one carries every wave of a bar exactly from cell to cell: linear elements with
the mass of one point a cell, and the trapezoidal rule with steps in which a wave crosses a cell. The floor is the only
thing that is not exact: a spring whose energy is kept, as the program's."""


def bounce(cells, periods, floor, length=10.0, young=900.0, area=0.25, gravity=0.1, fall=0.05):
    """The height of the centre over the fall at every period's end, and the share of the energy that is not height."""
    step, cell = (16 / 3) / (16 * cells), length / cells
    mass, spring = area * cell, young * area / cell
    n = cells + 1
    ends = [1.0] + [2.0] * (n - 2) + [1.0]
    weight = [mass * gravity / 2 * e for e in ends]
    diagonal = [(2 / step ** 2 * mass / 4 + spring / 2) * e for e in ends]
    beside = 2 / step ** 2 * mass / 4 - spring / 2
    u, v = [fall] * n, [0.0] * n
    heights, lost = [], []
    for t in range(1, 16 * cells * periods + 1):
        load = [2 / step * mass / 4 * (ends[i] * v[i] + (v[i - 1] if i else 0) + (v[i + 1] if i + 1 < n else 0))
                - spring * (ends[i] * u[i] - (u[i - 1] if i else 0) - (u[i + 1] if i + 1 < n else 0)) - weight[i]
                for i in range(n)]
        free, give = solve(diagonal, beside, load), solve(diagonal, beside, [1.0] + [0.0] * (n - 1))
        force = contact(u[0], free[0], give[0], floor)
        way = [a + force * b for a, b in zip(free, give)]
        v = [2 * d / step - w for d, w in zip(way, v)]
        u = [a + d for a, d in zip(u, way)]
        if t % (16 * cells) == 0:
            heights.append(sum(w * a for w, a in zip(weight, u)) / sum(weight) / fall)
            kinetic = sum(mass / 8 * (v[i] + v[i + 1]) ** 2 for i in range(cells))
            strain = sum(spring / 2 * (u[i + 1] - u[i]) ** 2 for i in range(cells))
            lost.append((kinetic + strain) / (length * area * gravity * fall))
    return heights, lost


def solve(diagonal, beside, right):
    d, b = list(diagonal), list(right)
    for i in range(1, len(d)):
        f = beside / d[i - 1]
        d[i] -= f * beside
        b[i] -= f * b[i - 1]
    for i in reversed(range(len(d))):
        b[i] = (b[i] - (beside * b[i + 1] if i + 1 < len(d) else 0)) / d[i]
    return b


def contact(start, way, give, floor):
    """The mean force of the floor on an end that goes from `start` by `way` and by `give` for each newton."""
    def energy(z):
        return floor / 2 * min(z, 0.0) ** 2

    def mean(end):
        return -(energy(end) - energy(start)) / (end - start) if abs(end - start) > 1e-15 else -floor * min(end, 0.0)
    if start + way >= 0 and start >= 0:
        return 0.0
    low, high = 0.0, max(floor * (abs(start) + abs(way)), 1e-300)
    while mean(start + way + give * high) > high:
        high *= 2
    for _ in range(200):
        force = (low + high) / 2
        low, high = (force, high) if mean(start + way + give * force) > force else (low, force)
    return force
