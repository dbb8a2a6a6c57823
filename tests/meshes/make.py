"""Writes fourteen surfaces like those that people try first: animals with thin legs, a teapot, hands, things with holes.

    python3 make.py FOLDER [NAME...]

Each is a union of round limbs, made into triangles by marching tetrahedra.
"""
import itertools
import sys
from pathlib import Path

import numpy as np


def limbs(x, parts, blend):
    """The distance to a smooth union of capsules (a, b, radius at a, radius at b)."""
    total = np.zeros(x.shape[:-1])
    for a, b, ra, rb in parts:
        a, b = np.array(a, float), np.array(b, float)
        along = np.clip(((x - a) @ (b - a)) / max((b - a) @ (b - a), 1e-12), 0, 1)
        d = np.linalg.norm(x - a - along[..., None] * (b - a), axis=-1) - (ra + along * (rb - ra))
        total += np.exp(-d / blend)
    return -blend * np.log(np.maximum(total, 1e-300))


def ring(centre, radius, tube, normal, count=14):
    """Capsules along a circle."""
    u = np.cross(normal, [0.3, 0.9, 0.2])
    u /= np.linalg.norm(u)
    v = np.cross(normal, u) / np.linalg.norm(normal)
    p = [np.array(centre) + radius * (np.cos(t) * u + np.sin(t) * v)
         for t in np.linspace(0, 2 * np.pi, count + 1)]
    return [(p[i], p[i + 1], tube, tube) for i in range(count)]


def mirrored(*parts):
    return [(np.array(a) * s, np.array(b) * s, ra, rb) for a, b, ra, rb in parts for s in ([1, 1, 1], [1, 1, -1])]


def beast(long, leg, thin, body):
    return [((-long, 0, 0), (long, 0, 0), body, body), ((long, .1, 0), (long + .35, .35, 0), .16, .15),
            ((long + .35, .35, 0), (long + .6, .25, 0), .15, .09), ((-long, .1, 0), (-long - .25, -.3, 0), .05, thin)] + mirrored(
        ((long * .9, -.1, .17), (long * .9, -leg, .2), .1, thin), ((-long * .9, -.1, .17), (-long * .9, -leg, .2), .12, thin),
        ((long + .3, .45, .08), (long + .25, .62, .14), .05, thin * .8))


def biped(head, belly, arm, leg):
    return [((0, 0, 0), (0, .5, 0), belly, .2), ((0, .75, 0), (0, .85, 0), head, head)] + mirrored(
        ((0, .45, .2), (.1, .1, .5), .09, arm), ((0, -.1, .13), (.02, -.75, .17), .13, leg),
        ((.02, -.75, .17), (.2, -.8, .18), leg, leg))


SHAPES = {
    "spot": beast(.35, .55, .08, .3), "cow": beast(.5, .75, .055, .28), "horse": beast(.5, 1.0, .045, .22),
    "teapot": [((0, 0, 0), (0, .12, 0), .45, .4), ((0, .5, 0), (0, .58, 0), .07, .07),
               ((.4, -.05, 0), (.85, .4, 0), .1, .05)] + ring((-.5, .05, 0), .22, .05, (0, 0, 1)),
    "monkey": [((0, 0, 0), (.1, 0, 0), .5, .45), ((.4, -.2, 0), (.5, -.2, 0), .2, .2)] + mirrored(
        ((0, .1, .5), (-.05, .15, .75), .08, .14), ((.45, .2, .17), (.5, .2, .17), .1, .1)),
    "homer": biped(.22, .3, .06, .09),
    "beetle": [((-.4, 0, 0), (.4, 0, 0), .28, .22), ((.6, 0, 0), (.7, 0, 0), .16, .12)] + mirrored(
        *[((x, -.1, .2), (x * 1.4, .05, .55), .05, .035) for x in (-.3, 0, .3)],
        *[((x * 1.4, .05, .55), (x * 1.5, -.4, .7), .035, .03) for x in (-.3, 0, .3)]),
    "bunny": [((0, 0, 0), (.2, .2, 0), .4, .3), ((.35, .5, 0), (.45, .5, 0), .2, .15), ((-.4, -.1, 0), (-.4, -.1, 0), .1, .1)]
    + mirrored(((.3, .65, .08), (.1, 1.05, .12), .06, .05), ((.2, -.3, .2), (.4, -.38, .2), .1, .08)),
    "armadillo": biped(.2, .3, .07, .1) + [((-.2, -.1, 0), (-.6, -.5, 0), .12, .04), ((.15, .85, 0), (.35, .8, 0), .1, .06)]
    + mirrored(((0, .95, .12), (-.05, 1.15, .22), .05, .05)),
    "fertility": ring((0, 0, 0), .4, .12, (0, 0, 1)) + ring((.55, .3, 0), .3, .09, (0, 1, 0)) + [((0, .4, 0), (0, .6, 0), .12, .16)],
    "octopus": [((0, .1, 0), (0, .4, 0), .26, .3)] + [part for t in np.arange(8) * np.pi / 4 for part in [
        ((.1 * np.cos(t), 0, .1 * np.sin(t)), (.5 * np.cos(t), -.2, .5 * np.sin(t)), .09, .06),
        ((.5 * np.cos(t), -.2, .5 * np.sin(t)), (.9 * np.cos(t), -.1, .9 * np.sin(t)), .06, .035)]],
    "hand": [((0, -.3, 0), (0, 0, 0), .14, .2), ((-.12, 0, 0), (.12, 0, 0), .14, .14), ((-.15, -.1, 0), (-.45, .15, .1), .08, .055)]
    + [((x, .1, 0), (1.5 * x, .55 - abs(x - .05), 0), .065, .05) for x in (-.16, -.05, .06, .17)],
    "alligator": [((-.4, 0, 0), (.4, 0, 0), .17, .17), ((.5, 0, 0), (1.1, -.05, 0), .12, .06), ((-.5, 0, 0), (-1.4, -.1, 0), .14, .03)]
    + mirrored(((.3, -.05, .15), (.35, -.25, .35), .06, .05), ((-.3, -.05, .15), (-.3, -.25, .35), .07, .05)),
    "zup": biped(.2, .25, .06, .08),
}


def surface(parts, cells):
    """Points and triangles of the zero set, by tetrahedra of a grid (six to a cell, all sharing its diagonal)."""
    ends = np.array([p for a, b, _, _ in parts for p in (a, b)], float)
    widest = max(max(ra, rb) for _, _, ra, rb in parts)
    low, high = ends.min(0) - 1.3 * widest, ends.max(0) + 1.3 * widest
    step = (high - low).max() / cells
    shape = np.ceil((high - low) / step).astype(int) + 1
    grid = low + step * np.stack(np.meshgrid(*map(np.arange, shape), indexing="ij"), -1)
    values = limbs(grid, parts, .02).ravel()
    grid = grid.reshape(-1, 3)
    number = np.arange(len(grid)).reshape(shape)
    corner = [number[i:shape[0] - 1 + i, j:shape[1] - 1 + j, k:shape[2] - 1 + k].ravel()
              for i, j, k in itertools.product((0, 1), repeat=3)]
    tets = []
    for order in itertools.permutations((4, 2, 1)):
        a, b = order[0], order[0] + order[1]
        tets.append(np.stack([corner[0], corner[a], corner[b], corner[7]], 1))
    tets = np.concatenate(tets)
    inside = values[tets] < 0
    tets = tets[(inside.any(1)) & (~inside.all(1))]
    found, points, triangles = {}, [], []

    def cut(a, b):
        key = (min(a, b), max(a, b))
        if key not in found:
            t = np.clip(values[key[0]] / (values[key[0]] - values[key[1]]), .02, .98)
            found[key] = len(points)
            points.append(grid[key[0]] + t * (grid[key[1]] - grid[key[0]]))
        return found[key]

    for tet in tets:
        ins, out = [t for t in tet if values[t] < 0], [t for t in tet if values[t] >= 0]
        if len(ins) == 2:
            q = [cut(ins[0], out[0]), cut(ins[0], out[1]), cut(ins[1], out[1]), cut(ins[1], out[0])]
            new = [(q[0], q[1], q[2]), (q[0], q[2], q[3])]
        else:
            one, rest = (ins[0], out) if len(ins) == 1 else (out[0], ins)
            new = [tuple(cut(one, r) for r in rest)]
        outwards = np.mean(grid[out], 0) - np.mean(grid[ins], 0)
        for t in new:
            p, q, r = (points[i] for i in t)
            triangles.append(t if np.cross(q - p, r - p) @ outwards > 0 else t[::-1])
    return np.array(points), triangles


def main(folder, *names):
    Path(folder).mkdir(parents=True, exist_ok=True)
    for name in names or SHAPES:
        points, triangles = surface(SHAPES[name], 44)
        if name == "bunny":  # holes in its base, as the scanned one has them
            foot = points[:, 1].min()
            triangles = [t for t in triangles if not (points[list(t), 1].max() < foot + .06 and abs(points[t[0], 2]) > .16)]
        if name == "zup":
            points = points[:, [2, 0, 1]]
            points[:, 2] -= points[:, 2].min()
        with open(Path(folder) / f"{name}.obj", "w") as file:
            file.writelines("v %.6f %.6f %.6f\n" % tuple(p) for p in points)
            file.writelines("f %d %d %d\n" % tuple(i + 1 for i in t) for t in triangles)


main(*sys.argv[1:])
