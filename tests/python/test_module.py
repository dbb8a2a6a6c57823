"""The Python module, against the program and against its own promises."""
import ast
import json
import os
import pathlib
import subprocess
import sys
import threading

import numpy as np
import pytest
import verve

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ["VERVE_PROGRAM"]
TETS = np.array([[0, 1, 2, 3]])
POINTS = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], float)


def falling_box(**more):
    return {"frames": [1, 6], "fps": 24, "substeps": 1,
            "bodies": [{"name": "box", "geometry": {"shape": "box", "size": [.5, .5, .5], "cells": [2, 2, 2]},
                        "transform": {"translate": [0, .3, 0]}}],
            "colliders": [{"shape": "plane"}], **more}


def test_a_dict_gives_the_same_bytes_as_the_program(tmp_path):
    (tmp_path / "scene.json").write_text(json.dumps(falling_box()))
    subprocess.run([PROGRAM, "run", tmp_path / "scene.json", "--out", tmp_path / "program", "--quiet"], check=True)
    reports = verve.run(falling_box(), out=tmp_path / "module")
    assert [r["frame"] for r in reports] == [1, 2, 3, 4, 5, 6]
    for frame in range(1, 7):
        name = f"scene.{frame:04d}.bgeo.sc"
        assert (tmp_path / "module" / name).read_bytes() == (tmp_path / "program" / name).read_bytes()
    columns = (tmp_path / "module/report.csv").read_text().split("\n")[0].split(",")
    assert columns == list(reports[0])


def test_positions_are_views_that_follow_the_simulation():
    simulation = verve.Simulation(falling_box())
    positions = simulation.positions
    assert positions.shape == (27, 3) and not positions.flags.owndata and not positions.flags.writeable
    before = positions.copy()
    simulation.advance()
    assert simulation.frame == 2
    # One step of free fall from rest, whatever the body: AVF is exact for a constant force, y = -g t^2 / 2.
    assert np.allclose(before[:, 1] - positions[:, 1], 9.81 / 2 / 24**2, rtol=1e-9, atol=1e-12)
    assert simulation.positions.ctypes.data == positions.ctypes.data
    assert np.shares_memory(simulation.body_positions("box"), positions)
    del simulation
    assert np.isfinite(positions).all()  # the view keeps its owner alive


def test_a_body_from_arrays_equals_the_same_from_a_file(tmp_path):
    simulation = verve.Simulation(falling_box())
    points, tets = simulation.body_positions("box").copy(), simulation.tets("box")
    assert tets.shape == (48, 4)
    scene = falling_box()
    scene["bodies"] = [{"name": "box", "geometry": {"points": points, "tets": tets}}]
    other = verve.Simulation(scene)
    for _ in range(5):
        simulation.advance(), other.advance()
    # The box was moved to its place after its rest shape was known: rounding of a few bits, which contact magnifies.
    assert np.abs(simulation.positions - other.positions).max() < 1e-9
    verve.run(scene, out=tmp_path / "run")
    again = verve.Simulation(tmp_path / "run/scene.json")  # its arrays are files there
    again.advance()
    assert again.frame == 2


def test_pins_and_colliders_from_arrays_follow_their_animation():
    n = 5
    points = np.array([[x, 0, z] for x in range(n) for z in range(n)], float) * .1
    quads = [[i * n + j, i * n + j + 1, (i + 1) * n + j + 1, (i + 1) * n + j] for i in range(n - 1) for j in range(n - 1)]
    pinned = (np.arange(n * n) < n).astype(float)
    frames = np.stack([points + [0, .05 * f, 0] for f in range(6)])
    simulation = verve.Simulation({
        "frames": [1, 6], "bodies": [{"name": "cloth", "geometry": {
            "points": points, "polygons": quads, "attributes": {"pintoanimation": pinned}, "animation": frames}}],
        "colliders": [{"points": np.stack([POINTS * .1 - [0, 2 - .1 * f, 0] for f in range(6)]),
                       "polygons": [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]]}]})
    for f in range(1, 6):
        simulation.advance()
        assert np.abs(simulation.positions[:n] - frames[f][:n]).max() < 1e-12
    assert simulation.positions[-1, 1] < frames[5][-1, 1] - .01  # the free end hangs


def test_a_painted_surface_pins_the_tets_inside():
    cube = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], float)
    faces = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
    top = (cube[:, 1] == 1).astype(float)
    simulation = verve.Simulation({"frames": [1, 9], "bodies": [{"name": "jelly", "geometry": {
        "points": cube, "polygons": faces, "fill": True, "spacing": .25, "attributes": {"pintoanimation": top}},
        "material": {"young": 3000}}]})
    start = simulation.positions.copy()
    for _ in range(8):
        simulation.advance()
    moved = np.abs(simulation.positions - start).max(axis=1)
    assert moved[start[:, 1] > .99].max() == 0 and moved[start[:, 1] < .01].min() > 1e-3
    assert simulation.skin(body="jelly").shape == (8, 3)


def test_errors_are_the_programs_sentences(tmp_path):
    scene = falling_box(damping={"detla": 1})
    (tmp_path / "scene").write_text(json.dumps(scene))
    said = subprocess.run([PROGRAM, "run", "scene"], cwd=tmp_path, capture_output=True, text=True)
    with pytest.raises(verve.Error) as error:
        verve.Simulation(scene)
    assert said.returncode == 2 and said.stderr == f"verve: {error.value}\n"
    for arrays, words in (({"points": POINTS, "tets": [[0, 1, 2, 9]]}, r"bodies\[0\].geometry.tets\[0\] names point 9"),
                          ({"points": POINTS[:, :2]}, "shape .n, 3."),
                          ({"points": np.where(POINTS == 1, np.nan, POINTS), "tets": TETS}, "point"),
                          ({"points": POINTS, "tets": TETS, "attributes": {"mass": [1, 2]}}, "each of the 4 points"),
                          ({"points": POINTS, "tets": TETS, "attributes": [1]}, "attributes must be a dict"),
                          ({"points": POINTS, "tets": [0, 1, 2, 3]}, r"tets\[0\] has 1 corner, but needs 4"),
                          ({"points": POINTS, "polygons": 3}, "polygons must be an array or a list"),
                          ({"points": POINTS, "polygon": TETS}, "polygon'; did you mean 'polygons'"),
                          ({"vertices": POINTS}, "vertices'; known are shape, .* points, tets, polygons"),
                          ({"tets": TETS}, "gives tets without points")):
        with pytest.raises(verve.Error, match=words):
            verve.Simulation({"bodies": [{"geometry": arrays}]})
    with pytest.raises(verve.Error, match="there is no body 'bix'; did you mean 'box'"):
        verve.Simulation(falling_box()).body_positions("bix")
    with pytest.raises(verve.Error, match="nowhere.json"):
        verve.Simulation(tmp_path / "nowhere.json")
    with pytest.raises(verve.Error, match=r"^scene: 'gravity\[1\]' must be a number, not nan$"):
        verve.Simulation(falling_box(gravity=[0, float("nan"), 0]))
    for more, words in (({"threads": "two"}, "threads must be a whole number"), ({"threads": -1}, "threads must be"),
                        ({"settings": [3]}, "settings are words"), ({"settings": "detla=3"}, "unknown key 'detla'")):
        with pytest.raises(verve.Error, match=words):
            verve.Simulation(falling_box(), **more)
    for frames in (3, ("a", "b"), (1, 2, 3)):
        with pytest.raises(verve.Error, match="frames are the first and the last"):
            verve.run(falling_box(), out=tmp_path, frames=frames)
    assert issubclass(verve.Error, ValueError) and issubclass(verve.Cancelled, verve.SimulationError)


def test_settings_are_words_or_a_dict():
    for settings in ({"damping.delta": 0.25}, "damping.delta=0.25", ["damping.delta=0.25"]):
        assert verve.Simulation(falling_box(), settings=settings).scene["damping"]["delta"] == 0.25
    vector = verve.Simulation(falling_box(), settings={"gravity": np.array([0, -1, 0])})
    assert vector.scene["gravity"] == [0, -1, 0] and repr(vector) == "<verve.Simulation at frame 1 of 1-6: box>"


def test_other_threads_run_while_it_steps_and_may_cancel():
    scene = falling_box(frames=[1, 2], substeps=100000)
    simulation, ticks, failed = verve.Simulation(scene), [], []

    def step():
        try:
            simulation.advance()
        except verve.Cancelled as stopped:
            failed.append(str(stopped))

    thread = threading.Thread(target=step)
    thread.start()
    while thread.is_alive():
        ticks.append(1)
        if len(ticks) == 3:
            with pytest.raises(verve.Error, match="another thread"):
                simulation.advance()
            simulation.cancel()
        thread.join(.02)
    assert failed == ["cancelled"] and len(ticks) >= 3 and simulation.frame == 1


def test_a_stopped_run_is_resumed_to_the_same_bytes(tmp_path):
    verve.run(falling_box(), out=tmp_path / "whole")
    verve.run(falling_box(), out=tmp_path / "parts", progress=lambda report: report["frame"] < 3)
    assert not (tmp_path / "parts/scene.0004.bgeo.sc").exists()
    reports = verve.run(falling_box(), out=tmp_path / "parts", resume=True)
    assert [r["frame"] for r in reports] == [3, 4, 5, 6]
    assert (tmp_path / "parts/scene.0006.bgeo.sc").read_bytes() == (tmp_path / "whole/scene.0006.bgeo.sc").read_bytes()


def test_checkpoints_quantities_and_caches(tmp_path):
    simulation = verve.Simulation(falling_box())
    simulation.advance()
    simulation.save(tmp_path / "checkpoint")
    kept = simulation.positions.copy()
    while simulation.report()["contacts"] == 0:
        simulation.advance()
    assert simulation.frame < 6 and simulation.quantities()["contact"].sum() > 0
    assert simulation.quantities()["stress"].max() > 0
    simulation.restore(path=tmp_path / "checkpoint")
    assert simulation.frame == 2 and (simulation.positions == kept).all()
    with verve.CacheWriter(tmp_path, "wave", format="pc2", first_frame=3) as cache:
        for frame in range(3, 6):
            cache.write(frame, points=POINTS * frame)
    raw = (tmp_path / "wave.pc2").read_bytes()
    assert np.frombuffer(raw, "<f4", offset=32).reshape(3, 4, 3)[2].tolist() == (POINTS * 5).tolist()


def test_growing_point_caches_hold_what_the_run_has_reached(tmp_path):
    scene, counts = falling_box(output={"points": True, "name": "run"}), []

    def look(report):
        raw = (tmp_path / "run.box.pc2").read_bytes()
        counts.append((np.frombuffer(raw, "<i4", 1, 28)[0], len(raw)))
        return report["frame"] < 4

    verve.run(scene, out=tmp_path, progress=look)
    assert counts == [(frame, 32 + frame * 27 * 12) for frame in (2, 3, 4)]
    verve.run(scene, out=tmp_path, resume=True)
    whole = verve.run(scene, out=tmp_path / "whole")
    assert len(whole) == 6
    assert (tmp_path / "run.box.pc2").read_bytes() == (tmp_path / "whole/run.box.pc2").read_bytes()


def test_table_docstrings_and_stubs_say_the_same():
    table = [p for p in verve.parameters() if not p["path"].startswith("node.")]
    assert json.loads(subprocess.run([PROGRAM, "params", "--json"], capture_output=True, text=True).stdout) == \
        verve.parameters()
    for p in table:
        assert p["path"] in verve.Simulation.__doc__ and p["help"] in verve.Simulation.__doc__
    stub = (pathlib.Path(verve.__file__).parent / "__init__.pyi").read_text()
    tree = ast.parse(stub)
    classes = {c.name: c for c in tree.body if isinstance(c, ast.ClassDef)}
    assert {"Scene", "Body", "BodyGeometry", "BodyPin", "Collider", "Integrator", "Simulation"} <= set(classes)
    keys = {s.target.id for s in classes["Scene"].body if isinstance(s, ast.AnnAssign)}
    assert keys == {p["path"] for p in table if "." not in p["path"]}
    for name in ("advance", "positions", "report", "quantities", "skin"):
        assert hasattr(verve.Simulation, name)
    for member in classes["Simulation"].body:
        if not member.name.startswith("_"):
            said = getattr(verve.Simulation, member.name).__doc__
            assert ast.get_docstring(member) in said and "@" not in said and len(said) > 10


@pytest.mark.parametrize("example", sorted((ROOT / "examples/python").glob("*.py")), ids=lambda p: p.stem)
def test_examples_run(example, tmp_path):
    done = subprocess.run([sys.executable, example], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()
