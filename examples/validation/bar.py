"""A bar that falls on its end and bounces, as in Doyen, Ern and Piperno 2011."""
from experiment import Experiment, Finding, Plot, below, number
from measure import error, scene, told, tops, within
from runs import Run
from waves import bounce

PERIOD, FALL, GRAVITY, MASS = 16 / 3, 0.05, 0.1, 2.5
# The exact solution, waves of speed 30 in a bar of 10: it touches during [1, 5/3] and [11/3, 13/3] s of every period, and
# its centre comes up to 0.8519 of the fall between the two, to all of it at the end.
BETWEEN = 1 - (20 / 3 - 40 / 9 - 40 / 27) / 5
SCHEMES = {"AVF": {}, **{name: {"integrator.type": kind} for name, kind in
                         (("backward Euler", "backward_euler"), ("Newmark", "newmark"),
                          ("implicit midpoint", "implicit_midpoint"))}}


def bar(label, periods, cells, steps, **keys):
    """`steps` a period, 30 of which are kept as frames; a few more follow, to see the last top."""
    return Run(label, scene("bouncing_bar"), {**keys, "frames": [1, 30 * periods + 6], "substeps": steps // 30,
                                              "bodies[0].geometry.cells": [1, cells, 1]}, limit=1800)


def runs(quick):
    coarse = [bar(name, 10, 10 if quick else 20, 30, **keys) for name, keys in SCHEMES.items()]
    meshes = ((10, 120), (20, 240)) if quick else ((10, 120), (20, 240), (40, 480), (160, 1920), (640, 7680), (960, 11520))
    return coarse + [bar(f"AVF, {cells} cells, {steps} steps a period", 1, cells, steps) for cells, steps in meshes]


def height(r):
    """Of the centre above where it is when the bar stands, as a share of the fall."""
    return [(g / (MASS * GRAVITY) - 5) / FALL for g in r["gravity"]]


def top_near(r, time):
    """(time, height) of the top that is nearest to a time; nothing comes up there if it is further than a quarter period."""
    found = [t for t in tops(r["time"], height(r)) if abs(t[0] - time) < PERIOD / 4]
    return min(found, key=lambda t: abs(t[0] - time)) if found else (0.0, 0.0)


def judge(results):
    r = results["AVF"]
    finest = list(results)[-1]
    fine = {label: other for label, other in results.items() if "cells" in label and other.columns}
    time, top = top_near(fine[finest], PERIOD)
    last = top_near(r, 10 * PERIOD)[1]
    return Finding({
        "energy": below(r.drift(), 1e-8, "after ten periods off by", also=r.complete, why=r.message),
        "period": within(time, PERIOD, 0.01, f"{finest}: top after", " s"),
        "height": within(top, 1, 0.01, f"{finest}: top at", " of the fall", why=FRONT),
        "lasting": within(last, 1, 0.01, "after ten periods the top is at", " of the fall", why=AMPLIFIED)},
        told({f"top at half a period, {label}": error(top_near(other, PERIOD / 2)[1], BETWEEN)
              for label, other in fine.items()} |
             {f"top after a period, {label}": error(top_near(other, PERIOD)[1], 1) for label, other in fine.items()}) |
        {f"top after ten periods, {label}": number(top_near(results[label], 10 * PERIOD)[1]) for label in SCHEMES
         if results[label].columns} |
        {f"energy kept, {label}": number(other.kept()) for label, other in results.items() if other.columns} |
        {f"exact waves, floor {floor:g} N/m: height and trembling (shares of the energy) after {n} periods":
         f"{heights[n - 1]:.4f}, {lost[n - 1]:.1e}" for floor in (8e3, 1e6, 1e8, 1e10)
         for heights, lost in [bounce(8, 10, floor)] for n in (1, 2, 3, 5, 10)})


FRONT = ("The energy is there, but as trembling of the bar: the wave of the impact has a sharp front, which elements and "
         "steps smear and disperse. The error falls with cells and steps, slowly, as of every front (by a third where both are doubled).")
AMPLIFIED = ("No mesh and no step reaches this. What an impact leaves of trembling makes the next one come out differently, "
             "and the trembling grows some thirtyfold in energy from period to period: of waves that are exact on any mesh, "
             "which the numbers below follow by the box scheme, a floor as stiff as here leaves a height of 0.65 after four "
             "periods, one that gives way by a hundred-thousandth of the fall 0.34 after ten; only where it gives way by some "
             "1e-9 of the fall does the height last (0.998). At a step a thirtieth of the period, in which a wave crosses half "
             "of the bar, the first period is off already. A scheme that keeps the energy cannot lose the trembling, and one "
             "that loses it loses the height.")

EXPERIMENTS = [Experiment(
    "bouncing_bar", "Contact: an elastic bar bounces on its end",
    claims={"energy": "The energy stays through ten periods of impacts, a step a thirtieth of the period.",
            "period": "On the finest mesh it is back up after 16/3 s.",
            "height": "On the finest mesh it is back at its full height then.",
            "lasting": "A step a thirtieth of the period, it is back at its full height after ten periods."},
    setup="A bar of 10 m, E 900, rho 1, nu 0, that falls by 0.05 m under 0.1 m/s^2 (both a hundredth of the paper's, which is "
          "of small strains; times are the same). Points move along the bar only. The floor is a repulsion spring of 2000 N/m a "
          "point, which gives way by 0.05 mm. Reference: exact waves, Doyen, Ern, Piperno, SIAM J. Sci. Comput. 33 (2011), "
          "section 4; we derived it again: T = 16/3 s, tops at 0.852 and 1 of the fall. Tolerances: 1 % each, the bars set for "
          "the test; the energy's is ten times the solver's.",
    runs=runs, judge=judge,
    plots=[Plot("Height of the centre, 30 steps a period", "share of the fall",
                lambda rs: [(k, rs[k]["time"], height(rs[k])) for k in SCHEMES if rs[k].columns]),
           Plot("Energy, 30 steps a period", "share of the start's",
                lambda rs: [(k, rs[k]["time"], [min(2, (e - 1.25) / (rs[k]["total"][0] - 1.25)) for e in rs[k]["total"]])
                            for k in SCHEMES if rs[k].columns]),
           Plot("Height of the centre, AVF, finer and finer", "share of the fall",
                lambda rs: [(k, r["time"], height(r)) for k, r in rs.items() if "cells" in k])])]
