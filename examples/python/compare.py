"""What is left of the energy after two seconds, by integrator: one keeps it, one does not."""
import verve

scene = {
    "frames": [1, 49], "fps": 24, "gravity": [0, 0, 0], "substeps": 1,
    "bodies": [{"geometry": {"shape": "bar", "cells": [8, 2, 2]}, "material": {"young": 2e4}, "stretch": 1.2}],
}
for integrator in ("avf", "backward_euler"):
    simulation = verve.Simulation(scene, settings=[f"integrator.type={integrator}"])
    start = simulation.report()["total"]
    while simulation.frame < 49:
        end = simulation.advance()["total"]
    print("%s: %.6f of the energy is left" % (integrator, end / start))
