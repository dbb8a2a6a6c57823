"""compare.py MESH FIRST LAST (.obj): the skin has the mesh's points and is sized like it; at the end it lies on the floor, and
its edges have found back to their lengths."""
import sys

import numpy as np


def read(path):
    points, faces = [], []
    for line in open(path):
        words = line.split()
        if words[:1] == ["v"]:
            points.append([float(x) for x in words[1:4]])
        elif words[:1] == ["f"]:
            faces.append([int(w.split("/")[0]) - 1 for w in words[1:]])
    return np.array(points), np.array(faces)


mesh, first, last = (read(path) for path in sys.argv[1:])
assert len(mesh[0]) == len(first[0]) == len(last[0]), "points of the skin are missing"
assert len(mesh[1]) == len(last[1]), "faces of the skin are missing"
assert np.isfinite(last[0]).all(), "points that are not numbers"


def lengths(points, faces):
    return np.concatenate([np.linalg.norm(points[faces[:, i]] - points[faces[:, (i + 1) % 3]], axis=1) for i in range(3)])


scale = np.ptp(first[0], 0).max() / np.ptp(mesh[0], 0).max()
rest = lengths(mesh[0], mesh[1]) * scale
assert np.allclose(lengths(first[0], first[1]), rest, atol=1e-5 * scale + 1e-5), "the skin is not that of the mesh"
ratio = lengths(last[0], last[1]) / np.maximum(rest, 1e-9)
long = rest > np.median(rest) / 4  # slivers of the surface say little
low, high = np.quantile(ratio[long], [0.05, 0.95])
assert 0.9 < low and high < 1.1, f"nine tenths of its edges end between {low:.2f} and {high:.2f} of their lengths"
floor = last[0][:, 1].min()
assert -0.02 < floor < 0.05, f"its lowest point ends at {floor:.3f} m"
print(f"{len(last[0])} points, edges end between {low:.2f} and {high:.2f} of their lengths, lowest {1000 * floor:.1f} mm", end="")
