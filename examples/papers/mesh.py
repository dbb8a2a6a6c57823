"""A mesh of one's own in place of the hare."""
import subprocess

from runs import VERVE


def standing_in(file, folder):
    """Writes the surface scaled to a height of 1 m and centred, as the hare is; gives the path."""
    folder.mkdir(parents=True, exist_ok=True)
    raw = folder / "given.obj"
    subprocess.run([VERVE, "convert", str(file), str(raw)], check=True)
    lines = raw.read_text().splitlines()
    points = [tuple(map(float, line.split()[1:4])) for line in lines if line.startswith("v ")]
    low, high = ([f(p[i] for p in points) for i in range(3)] for f in (min, max))
    scale = 1 / (high[1] - low[1])
    placed = iter(" ".join(["v"] + [f"{(x - (a + b) / 2) * scale:.9g}" for x, a, b in zip(p, low, high)])
                  for p in points)
    out = folder / "mesh.obj"
    out.write_text("\n".join(next(placed) if line.startswith("v ") else line for line in lines) + "\n")
    return out.resolve()
