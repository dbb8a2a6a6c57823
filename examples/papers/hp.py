"""Kharevych et al. 2006, Geometric, Variational Integrators for Computer Animation (HP)."""
from experiment import ELSEWHERE, Experiment, Finding, Plot, column, first, number
from runs import Run


def pendulum_runs(quick):
    frames = [1, 301 if quick else 3001]
    schemes = {"HP, alpha 0.5": {"integrator.type": "hp", "integrator.alpha": 0.5},
               "HP, alpha 0": {"integrator.type": "hp", "integrator.alpha": 0},
               "AVF": {"integrator.type": "avf"},
               "backward Euler": {"integrator.type": "backward_euler"}}
    return [Run(label, "hp_fig1.json", {"frames": frames, **keys}) for label, keys in schemes.items()]


def amplitude(result):
    """Height between the lowest and highest point in the last quarter of the run, as a share of the first swing's."""
    height = result["gravity"]
    quarter = height[3 * len(height) // 4:]
    start = height[:90]
    return (max(quarter) - min(quarter)) / (max(start) - min(start))


def judge_pendulum(results):
    share = {label: amplitude(r) for label, r in results.items()}
    kept = all(abs(share[label] - 1) < 0.02 for label in ("HP, alpha 0.5", "AVF"))
    return Finding(first(kept and share["backward Euler"] < 0.5),
                   {f"height of the last swings, {label}": number(s) for label, s in share.items()},
                   "Reproduced if HP 1/2 and AVF keep the height within 2 % and backward Euler loses half. The paper's "
                   "explicit Euler, which amplifies, is not among our integrators.")


def rod_runs(quick):
    return [Run("HP, alpha 0", "hp_fig2.json", {"frames": [1, 201 if quick else 2001]}, timeout=300)]


def mean(values):
    return sum(values) / len(values)


def judge_rod(results):
    r = results["HP, alpha 0"]
    energy = r["total"]
    tenth = max(1, len(energy) // 10)
    trend = abs(mean(energy[-tenth:]) / mean(energy[:tenth]) - 1)
    p, l = r.vector_drift("p"), r.vector_drift("l")
    steps = round(r["time"][-1] / 0.004)
    return Finding(first(r.complete and trend < 1e-2 and p < 1e-9 and l < 1e-9),
                   {"steps": f"{steps:,}", "energy, last tenth against first": number(trend),
                    "largest excursion of the energy": number(r.drift()),
                    "linear momentum": number(p), "angular momentum": number(l)},
                   "Reproduced if the mean energy moves less than 1 % and both momenta less than 1e-9.")


def damped_rod_runs(quick):
    end = 26 if quick else 201
    keys = {"damping.model": "hp", "damping.delta": 0.01}
    runs = [Run("damped", "hp_fig2.json", {"frames": [1, end if quick else 2001], **keys}, timeout=300)]
    for label, substeps in (("damped, half the step", 2000), ("damped, a quarter", 4000)):
        runs.append(Run(label, "hp_fig2.json", {"frames": [1, end], "substeps": substeps, **keys}, timeout=300))
    return runs


def judge_damped_rod(results):
    r = results["damped"]
    p, l = r.vector_drift("p"), r.vector_drift("l")
    lost = 1 - r["total"][-1] / r["total"][0]
    at = min(10, len(r["total"]) - 1)
    kept = [x["total"][at] / x["total"][0] for x in results.values()]
    spread = max(kept) - min(kept)
    return Finding(first(r.complete and p < 1e-9 and l < 1e-9 and lost > 0 and spread < 0.01),
                   {"energy lost": number(lost), "linear momentum": number(p), "angular momentum": number(l),
                    f"spread of the energy left at {r['time'][at]:g} s over three steps": number(spread)},
                   "Reproduced if energy goes, both momenta stay within 1e-9, and a half or quarter of the step leaves "
                   "the same energy within 1 %.")


def hare_runs(quick):
    size = {"bodies[0].geometry.spacing": 0.06, "substeps": 16, "frames": [1, 46]} if quick else {}
    return [Run("HP, alpha 0.5", "hp_fig4.json", size, timeout=60 if quick else 3600),
            Run("backward Euler", "hp_fig4.json", {**size, "integrator.type": "backward_euler"},
                timeout=60 if quick else 3600)]


def hops(result):
    """How often contact begins."""
    touching = [n > 0 for n in result["contacts"]]
    return sum(b and not a for a, b in zip(touching, touching[1:]))


def judge_hare(results):
    hp, euler = results["HP, alpha 0.5"], results["backward Euler"]
    numbers = {"frames": f"{len(hp['total'])}", "contacts begun": str(hops(hp)), "energy kept, HP": number(hp.kept()),
               "energy kept, backward Euler": number(euler.kept()),
               "inverted tets": f"{max(hp['inverted']):g}"}
    good = hp.complete and hops(hp) >= 1 and abs(hp.kept() - 1) < 0.05 and max(hp["inverted"]) == 0
    return Finding(first(good), numbers,
                   "Reproduced if the run ends with no tet inverted, the hare takes off again and the energy (gravity's from the "
                   "floor) is kept within 5 %. " + hp.message)


EXPERIMENTS = [
    Experiment(
        "hp_fig1", "HP, figure 1: pendulum",
        claim=("Implicit Euler damps a pendulum, explicit Euler amplifies it, a symplectic integrator keeps"
               " its swing."),
        setup="A rigid rod of 1 m on a hinge, both exact constraints, let go level, 30 steps a second.",
        runs=pendulum_runs, judge=judge_pendulum,
        plots=[Plot("Height of the rod", "potential energy (J)", column("gravity")),
               Plot("Total energy", "J", column("total"))],
        pictures={"HP, alpha 0.5": [1, 8, 15, 22]}),
    Experiment(
        "hp_fig2", "HP, figure 2: free rod, 2 million explicit steps",
        claim=("The energy of an elastic rod (160 tets) stays stable and its momenta exact over 2 million "
               "explicit steps of 0.004 s."),
        setup="162 tets, neo-Hookean, stretched, twisted, moving and turning. Quick: 200,000 steps.",
        runs=rod_runs, judge=judge_rod,
        plots=[Plot("Energy of the free rod", "J", column("total")),
               Plot("Angular momentum", "kg m^2/s",
                    lambda rs: [(a, r["time"], r[a]) for r in rs.values() for a in ("lx", "ly", "lz")])],
        pictures={"HP, alpha 0": [1, 50, 100, 150, 200]}),
    Experiment(
        "hp_fig3", "HP, figure 3: the same with damping",
        claim="Damping takes energy but no linear or angular momentum, and depends little on the step.",
        setup=("The rod of figure 2 with the paper's explicit damping, delta 0.01 s; steps of 4, 2 and 1 "
               "ms."),
        runs=damped_rod_runs, judge=judge_damped_rod,
        plots=[Plot("Energy of the damped rod", "J", column("total")),
               Plot("Angular momentum", "kg m^2/s",
                    lambda rs: [(a, rs["damped"]["time"], rs["damped"][a]) for a in ("lx", "ly", "lz")])]),
    Experiment(
        "hp_fig4", "HP, figure 4: hopping bunny",
        claim=("The implicit midpoint form animates a hopping neo-Hookean bunny of about 12.6K vertices "
               "with penalty contact."),
        setup=("Our hare, 10.4K vertices and 50K tets (quick: 1.3K), on a smooth floor, 20 steps a frame "
               "(quick: 16). At 8 it gains energy and stops at frame 41: midpoint needs small steps here."),
        runs=hare_runs, judge=judge_hare,
        plots=[Plot("Total energy", "J", column("total")),
               Plot("Contacts", "points", column("contacts"))],
        pictures={"HP, alpha 0.5": [1, 15, 20, 30, 45]}),
    Experiment(
        "hp_sec5_4", "HP, section 5.4: minimisation against root finding",
        claim="Minimising is 1.2, 2.6 and 3 times as fast as root finding at 2K, 12.5K and 24K tets.",
        elsewhere=Finding(ELSEWHERE, {},
                          ("A benchmark, not a scene: `tests/bench/root_finding_bench`. README.md says what"
                           " it gave."))),
]
