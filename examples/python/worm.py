"""A worm that crawls by what is painted on it: waves of growth run along it, and where it is thick it holds the floor.

Maps that change in every frame: `restscale` and `friction` of the points of a file's frames. Their work is in the ledger.
Usage: worm.py [FOLDER], where the painted frames, the scene and the run go; then `verve view FOLDER/run`.
"""
import json
import pathlib
import sys
import numpy as np
import verve

folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "out/worm")
frames, fps, length, waves, speed = 96, 24, 1.2, 2.0, 1.5  # the waves take two thirds of a second from end to end

shape = verve.Simulation({"bodies": [{"name": "worm", "geometry": {
    "shape": "bar", "size": [length, 0.12, 0.12], "cells": [30, 3, 3]}}]})
points, tets = shape.body_positions("worm").copy(), shape.tets("worm")
along = points[:, 0] / length + 0.5
points[:, 1] += 0.061  # just above the floor

folder.mkdir(parents=True, exist_ok=True)
with verve.CacheWriter(folder, "painted", format="bgeo.sc", fps=fps) as painted:
    for frame in range(1, frames + 1):
        time = (frame - 1) / fps
        swell = np.sin(2 * np.pi * (waves * along - speed * time)) * min(1.0, 2 * time)
        painted.write(frame, points=points, tets=tets,
                      attributes={"restscale": 1 + 0.12 * swell, "friction": 0.55 + 0.45 * swell})

scene = {
    "frames": [1, frames], "fps": fps, "damping": {"delta": 0.01},
    "bodies": [{"name": "worm", "geometry": {"file": "painted.0001.bgeo.sc", "animation": "painted.$F4.bgeo.sc"},
                "material": {"young": 2e4, "poisson": 0.3}, "density": 300}],
    "colliders": [{"name": "floor", "shape": "plane", "stiffness": 2000, "friction": 1.0, "thickness": 0.005}]}
(folder / "worm.json").write_text(json.dumps(scene, indent=2))
reports = verve.run(folder / "worm.json", out=folder / "run")
way = sum(report["px"] for report in reports) / fps / (300 * length * 0.12**2)  # of the centre of mass
print("in %g s it crawled %.2f m; its muscles worked %.2f J, the ledger is off by %.0e"
      % ((frames - 1) / fps, way, reports[-1]["work"], abs(reports[-1]["ledger_error"])))
