"""Kharevych et al. 2006, Geometric, Variational Integrators for Computer Animation (HP)."""
import math

from experiment import Experiment, Finding, Plot, above, below, column, held, number
from runs import Run


# Figure 1: a pendulum
def pendulum_runs(quick):
    frames = [1, 301 if quick else 3001]
    schemes = {"HP, alpha 0.5": {"integrator.type": "hp", "integrator.alpha": 0.5},
               "HP, alpha 0": {"integrator.type": "hp", "integrator.alpha": 0},
               "AVF": {"integrator.type": "avf"},
               "implicit Euler": {"integrator.type": "backward_euler"}}
    return [Run(label, "hp_fig1.json", {"frames": frames, **keys}) for label, keys in schemes.items()]


def explicit_euler(times):
    """Gravity's energy of the same rod (1 m, 1 kg, hinged at 1.525 m) by explicit Euler, a step a frame."""
    angle, speed, heights = 0.0, 0.0, []
    for before, after in zip([times[0]] + times, times):
        h = after - before
        angle, speed = angle + h * speed, speed - h * 1.5 * 9.81 * math.cos(angle)
        heights.append(9.81 * (1.525 + 0.5 * math.sin(angle)))
    return heights


def pendulum_heights(results):
    times = results["AVF"]["time"]
    series = column("gravity")(results) + [("explicit Euler", times, explicit_euler(times))]
    return [(label, xs[:301], ys[:301]) for label, xs, ys in series]


def amplitude(heights):
    """Height between the lowest and highest point in the last quarter, as a share of the first second's."""
    quarter = heights[3 * len(heights) // 4:]
    start = heights[:30]
    return (max(quarter) - min(quarter)) / (max(start) - min(start))


def stretch_of_rod(result):
    """Largest change of the distance between the bar's first and last point, as a share of it."""
    lengths = [math.dist(points[0], points[-1]) for points in result.positions()]
    return max(abs(x / lengths[0] - 1) for x in lengths)


def judge_pendulum(results):
    share = {label: amplitude(r["gravity"]) for label, r in results.items()}
    explicit = amplitude(explicit_euler(results["AVF"]["time"]))
    symplectic = [share["HP, alpha 0"], share["HP, alpha 0.5"]]
    what = "height of the last swings over the first's:"
    return Finding({
        "symplectic": held(all(abs(s - 1) < 0.02 for s in symplectic),
                           f"{what} {' and '.join(map(number, symplectic))} (alpha 0, 0.5)", "1 within 0.02"),
        "implicit": below(share["implicit Euler"], 0.5, what),
        "explicit": above(explicit, 1.2, what),
        # frames are cached in single precision
        "constraints": below(max(stretch_of_rod(results[f"HP, alpha {a}"]) for a in ("0", "0.5")), 1e-5,
                             "the rod's length off by")},
        {f"{what} AVF": number(share["AVF"])})


# Figures 2 and 3: a free rod
def rod_runs(quick):
    return [Run("HP, alpha 0", "hp_fig2.json", {"frames": [1, 201 if quick else 2001]})]


def mean(values):
    return sum(values) / len(values)


def momenta_kept(result):
    drift = [result.vector_drift(prefix) for prefix in "pl"]
    return held(result.complete and max(drift) < 1e-9,
                f"linear off by {number(drift[0])}, angular by {number(drift[1])}", "below 1e-9",
                why=result.message)


def judge_rod(results):
    r = results["HP, alpha 0"]
    energy = r["total"]
    tenth = max(1, len(energy) // 10)
    trend = abs(mean(energy[-tenth:]) / mean(energy[:tenth]) - 1)
    return Finding({
        "energy": below(trend, 0.01, "mean of the last tenth off the first's by", also=r.complete,
                        why=r.message),
        "momenta": momenta_kept(r)},
        {"steps": f"{round(r['time'][-1] / 0.004):,}", "largest excursion of the energy": number(r.drift())})


def damped_rod_runs(quick):
    end = 26 if quick else 201
    keys = {"damping.model": "hp", "damping.delta": 0.01}
    runs = [Run("damped", "hp_fig2.json", {"frames": [1, end if quick else 2001], **keys})]
    for label, substeps in (("damped, half the step", 2000), ("damped, a quarter", 4000)):
        keys_of_run = {"frames": [1, end], "substeps": substeps, **keys}
        runs.append(Run(label, "hp_fig2.json", keys_of_run))
    return runs


def judge_damped_rod(results):
    r = results["damped"]
    at = min(10, len(r["total"]) - 1)
    kept = [x["total"][at] / x["total"][0] for x in results.values()]
    return Finding({
        "energy": above(1 - r.kept(), 0, "share lost:", also=r.complete, why=r.message),
        "momenta": momenta_kept(r),
        "step": below(max(kept) - min(kept), 0.01, f"energy left at {r['time'][at]:g} s spreads by")})


# Figure 4: a hopping hare
def hare_runs(quick):
    size = {"bodies[0].geometry.spacing": 0.06, "substeps": 16, "frames": [1, 46]} if quick else {}
    euler = {**size, "integrator.type": "backward_euler"}
    return [Run("HP, alpha 0.5", "hp_fig4.json", size, limit=3600),
            Run("backward Euler", "hp_fig4.json", euler, limit=3600)]


def hops(result):
    """How often contact begins."""
    touching = [n > 0 for n in result["contacts"]]
    return sum(b and not a for a, b in zip(touching, touching[1:]))


def booked(result):
    """Energy at the last frame and what damping took until then, as a share of that at the first."""
    return (result["total"][-1] + result["dissipated"][-1]) / result["total"][0]


def judge_hare(results):
    r, euler = results["HP, alpha 0.5"], results["backward Euler"]
    inverted = max(r["inverted"])
    return Finding({
        "hops": held(r.complete and hops(r) >= 1 and inverted == 0,
                     f"{len(r['total'])} frames, contact begins {hops(r)} times, {inverted:g} tets inverted",
                     "all frames, some, none", why=r.message),
        "energy": held(abs(booked(r) - 1) < 0.05,
                       f"{number(r.kept())} of it left and {number(booked(r))} with what damping took; "
                       f"{number(euler.kept())} and {number(booked(euler))} with backward Euler",
                       "1 within 0.05 (gravity's counted from the floor)",
                       why="Contact that begins within a step feeds energy in.")})


# Section 4.3: order, and the largest step
ORDERS = {"alpha 0": (0, 2, 1), "alpha 0.25": (0.25, 2, 1), "alpha 0.5": (0.5, 2, 2), "alpha 1": (1, 2, 1),
          "alpha 0.5, composed": (0.5, 4, 4)}  # alpha, the scene's order, the order wanted


def step_counts(order):
    return (40, 80) if order == 2 else (10, 20)


def order_runs(quick):
    def keys(alpha, order, steps):
        return {"integrator.alpha": alpha, "integrator.order": order, "substeps": steps}
    runs = [Run(f"{label}, {n} steps", "hp_order.json", keys(alpha, order, n))
            for label, (alpha, order, _) in ORDERS.items() for n in step_counts(order)]
    runs.append(Run("reference", "hp_order.json", keys(0.5, 4, 1000)))
    large = {"frames": [1, 201], "fps": 4}  # several times the largest stable explicit step
    return runs + [Run("large steps, alpha 0", "hp_order.json", {**large, "integrator.alpha": 0}),
                   Run("large steps, alpha 0.5", "hp_order.json", large)]


def error_of(result, reference):
    return math.sqrt(sum(math.dist(a, b) ** 2 for a, b in zip(result.positions()[-1], reference)))


def judge_order(results):
    reference = results["reference"].positions()[-1]

    def order_of(label):
        errors = [error_of(results[f"{label}, {n} steps"], reference) for n in step_counts(ORDERS[label][1])]
        return math.log2(errors[0] / errors[1])

    def of_order(wanted, *labels):
        orders = {label: order_of(label) for label in labels}
        return held(all(abs(order - wanted) < 0.3 for order in orders.values()),
                    ", ".join(f"{order:.2f} ({label})" for label, order in orders.items()),
                    f"{wanted} within 0.3")
    explicit, implicit = (results[f"large steps, alpha {alpha}"] for alpha in ("0", "0.5"))
    return Finding({
        "linear": of_order(1, "alpha 0", "alpha 0.25", "alpha 1"),
        "quadratic": of_order(2, "alpha 0.5"),
        "higher": of_order(4, "alpha 0.5, composed"),
        "explicit": held(not explicit.complete or explicit.growth() > 10,
                         explicit.message or f"{number(explicit.growth())} times the energy",
                         "a failure, or above 10"),
        "implicit": below(implicit.growth(), 2, "largest energy over the first:", also=implicit.complete,
                          why=implicit.message)})


EXPERIMENTS = [
    Experiment(
        "hp_fig1", "HP, figure 1: pendulum",
        claims={"symplectic": "A symplectic integrator keeps the pendulum's swing.",
                "implicit": "Implicit Euler damps it.",
                "explicit": "Explicit Euler amplifies it.",
                "constraints": "Holonomic constraints are met at the end of every step (3.5)."},
        setup=("A rigid rod of 1 m on a hinge, both exact constraints, let go level, 30 steps a second. "
               "Explicit Euler is not among our integrators: the script steps the rod's angle with it."),
        runs=pendulum_runs, judge=judge_pendulum,
        plots=[Plot("Height of the rod, first 10 s", "potential energy (J)", pendulum_heights),
               Plot("Total energy", "J", column("total"))],
        pictures={"HP, alpha 0.5": [1, 8, 15, 22]}),
    Experiment(
        "hp_fig2", "HP, figure 2: free rod, 2 million explicit steps",
        claims={"energy": "The energy of a rod of 160 tets stays stable over 2 million explicit steps.",
                "momenta": "Its linear and angular momenta are exact."},
        setup=("162 tets, neo-Hookean, stretched, twisted, moving and turning; steps of 0.004 s. Quick: "
               "200,000 steps."),
        chosen="The paper gives no stiffness: ours makes the step a seventh of the largest stable one.",
        runs=rod_runs, judge=judge_rod,
        plots=[Plot("Energy of the free rod", "J", column("total")),
               Plot("Angular momentum", "kg m^2/s",
                    lambda rs: [(a, r["time"], r[a]) for r in rs.values() for a in ("lx", "ly", "lz")])],
        pictures={"HP, alpha 0": [1, 50, 100, 150, 200]}),
    Experiment(
        "hp_fig3", "HP, figure 3: the same with damping",
        claims={"energy": "Damping takes energy.", "momenta": "It takes no linear or angular momentum.",
                "step": "How much it takes depends little on the time step (4.3, 5.4)."},
        setup=("The rod of figure 2 with the paper's explicit damping, delta 0.01 s; steps of 4, 2 and 1 ms. "
               "Quick: 25,000 steps."),
        runs=damped_rod_runs, judge=judge_damped_rod,
        plots=[Plot("Energy of the damped rod", "J", column("total")),
               Plot("Angular momentum", "kg m^2/s",
                    lambda rs: [(a, rs["damped"]["time"], rs["damped"][a]) for a in ("lx", "ly", "lz")])]),
    Experiment(
        "hp_fig4", "HP, figure 4: hopping bunny",
        claims={"hops": "The implicit midpoint form animates a hopping neo-Hookean bunny of about 12.6K "
                        "vertices with penalty contact.",
                "energy": "Its energy behaves well (4.3)."},
        setup="Our hare, 12.6K vertices and 61.8K tets (quick: 1.3K vertices), thrown forward on a smooth "
              "floor.",
        chosen=("A gentle drop of 0.12 m, 20 steps a frame (quick: 16) and damping of 0.5 ms, as the paper's "
                "scheme has damping too. Without it the fine hare's smallest vibrations grow at the first "
                "impact, at 40 steps a frame as well: midpoint's energy is only kept where steps are short "
                "against them."),
        runs=hare_runs, judge=judge_hare,
        plots=[Plot("Total energy", "J", column("total")), Plot("Contacts", "points", column("contacts"))],
        pictures={"HP, alpha 0.5": [1, 8, 15, 25, 35, 45, 60]}),
    Experiment(
        "hp_sec4_3", "HP, section 4.3: accuracy and the largest step",
        claims={"linear": "Accuracy is linear for alpha other than 1/2.",
                "quadratic": "It is quadratic for alpha 1/2.",
                "higher": "Schemes of higher order can be made.",
                "explicit": "The explicit form (alpha 0) is bound by the CFL condition.",
                "implicit": "The implicit one allows much larger steps."},
        setup=("A free, turning, twisted bar of 36 tets for half a second; positions against a reference of "
               "1000 steps, orders from one halving of the step. Our scheme of order 4 is a composition of "
               "steps, not a richer quadrature. Large steps are 0.25 s."),
        runs=order_runs, judge=judge_order,
        plots=[Plot("Energy at steps of 0.25 s", "J", column("total", ("large steps, alpha 0.5",)))]),
]
