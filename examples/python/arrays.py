"""A cloth from NumPy arrays, pinned along one edge that is led up and down; no file is read."""
import numpy as np
import verve

n, frames = 20, 24
x, z = np.meshgrid(np.linspace(0, 1, n), np.linspace(0, 1, n), indexing="ij")
points = np.stack([x.ravel(), np.zeros(n * n), z.ravel()], axis=1)
corner = np.arange(n * n).reshape(n, n)[:-1, :-1].ravel()
quads = np.stack([corner, corner + 1, corner + n + 1, corner + n], axis=1)
height = 0.1 * np.sin(np.linspace(0, 2 * np.pi, frames))
simulation = verve.Simulation({
    "frames": [1, frames],
    "bodies": [{"name": "cloth", "geometry": {
        "points": points, "polygons": quads, "attributes": {"pintoanimation": x.ravel() == 0},
        "animation": points + height[:, None, None] * [0, 1, 0]}}],
})
cloth = simulation.body_positions("cloth")  # a view: it changes with every frame
while simulation.frame < frames:
    simulation.advance()
print("the free edge hangs %.3f m below the pinned one" % (cloth[0, 1] - cloth[-1, 1]))
