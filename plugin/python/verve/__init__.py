"""Soft bodies, cloth and ropes that keep their energy.

    import verve
    simulation = verve.Simulation({"bodies": [{"geometry": {"shape": "box"}}]})
    simulation.advance()
    simulation.positions            # a NumPy array (points, 3), in metres, without a copy

A scene is a dict with the keys of a scene file, or the path of one. Geometry may be arrays in the place of a file:
{"geometry": {"points": P, "tets": T}}, with "polygons" for cloth or (with "fill") a surface to be filled, "lines" for
ropes, and "attributes" a point; colliders likewise, with points of shape (frames, n, 3) if they move. All units are SI.
"""
import difflib
import json
import math
import operator
import os
import pathlib
import re

from . import _verve
from ._verve import Cancelled, Error, SimulationError, __version__

__all__ = ["CacheWriter", "Cancelled", "Error", "Simulation", "SimulationError", "parameters", "run"]

_ARRAYS = ("points", "tets", "polygons", "lines", "attributes")


def parameters():
    """The parameter table: everything that a scene may say, as a list of dicts (path, kind, default, unit, help ...)."""
    return json.loads(_verve.parameters_json())


def _plain(value):
    """NumPy's numbers and arrays as JSON has them."""
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    raise Error(f"a scene cannot hold {value!r}; numbers, words, lists and dicts are what it is made of")


def _check_keys(entry, place):
    """The scene's own check does not know of arrays, which may stand in the place of a file."""
    path = re.sub(r"\[\d+\]", "[]", place) + "."
    known = [p["path"][len(path):] for p in parameters() if p["path"].startswith(path)] + list(_ARRAYS)
    known = [key for key in known if "." not in key]
    for key in entry:
        if key not in known:
            near = difflib.get_close_matches(str(key), known, 1)
            raise Error(f"scene: unknown key '{place}.{key}'; "
                        + (f"did you mean '{near[0]}'?" if near else f"known are {', '.join(known)}"))


def _take_arrays(entry, place, given, animated):
    """Moves the arrays of a dict to `given` and names them there."""
    if not isinstance(entry, dict):
        return entry
    _check_keys(entry, place)
    if "points" not in entry:
        for key in _ARRAYS:
            if key in entry:
                raise Error(f"'{place}' gives {key} without points")
        return entry
    if "file" in entry or "shape" in entry:
        raise Error(f"'{place}' gives both points and a {'file' if 'file' in entry else 'shape'}; give one")
    rest = {key: value for key, value in entry.items() if key not in _ARRAYS}
    given[place] = {key: entry[key] for key in _ARRAYS if key in entry}
    rest["file"] = place
    if not animated and getattr(entry["points"], "ndim", 2) == 3:
        raise Error(f"{place}.points: a body starts with points (n, 3); give those that lead its pins as 'animation'")
    if getattr(rest.get("animation"), "ndim", 0) == 3:
        given[place + ".animation"] = {"points": rest["animation"]}
        rest["animation"] = place + ".animation"
    return rest


def _load(scene):
    """The text of a scene, its name, its folder, and the arrays that were in it."""
    if isinstance(scene, (str, os.PathLike)):
        path = os.fspath(scene)
        try:
            text = pathlib.Path(path).read_text(encoding="utf-8", errors="surrogateescape")
        except OSError as problem:
            raise Error(f"{path}: cannot open: {problem.strerror}") from None
        return text, path, os.path.dirname(path), {}
    if not isinstance(scene, dict):
        raise Error(f"a scene is a dict or the path of a scene file, not {type(scene).__name__}")
    scene, given = dict(scene), {}
    for key, inner in (("bodies", "geometry"), ("colliders", None)):
        if isinstance(scene.get(key), (list, tuple)):
            entries = []
            for i, entry in enumerate(scene[key]):
                place = f"{key}[{i}]" + (f".{inner}" if inner else "")
                if inner and isinstance(entry, dict) and inner in entry:
                    entry = {**entry, inner: _take_arrays(entry[inner], place, given, False)}
                elif not inner:
                    entry = _take_arrays(entry, place, given, True)
                entries.append(entry)
            scene[key] = entries
    try:
        text = json.dumps(scene, default=_plain)
    except (ValueError, TypeError) as problem:
        raise problem if isinstance(problem, Error) else Error(f"scene: {problem}") from None
    if "NaN" in text or "Infinity" in text:
        _check_numbers(json.loads(text), "")
    return text, "scene", "", given


def _check_numbers(value, place):
    """JSON has no word for what is not a number."""
    if isinstance(value, float) and not math.isfinite(value):
        raise Error(f"scene: '{place}' must be a number, not {value}")
    if isinstance(value, dict):
        for key, entry in value.items():
            _check_numbers(entry, f"{place}.{key}" if place else key)
    elif isinstance(value, list):
        for i, entry in enumerate(value):
            _check_numbers(entry, f"{place}[{i}]")


def _first_frame(text):
    try:
        return int(json.loads(text).get("frames", [1])[0])
    except (ValueError, TypeError, AttributeError, IndexError):
        return 1  # the scene's own check says what is wrong


def _words(settings):
    """Settings as the command line has them, of a dict, words or one word."""
    if isinstance(settings, dict):
        return [f"{key}={json.dumps(value, default=_plain)}" for key, value in settings.items()]
    settings = [settings] if isinstance(settings, str) else list(settings)
    for word in settings:
        if not isinstance(word, str):
            raise Error(f"settings are words such as 'damping.delta=0.01', not {word!r}")
    return settings


def _count(threads):
    try:
        if operator.index(threads) >= 0:
            return operator.index(threads)
    except TypeError:
        pass
    raise Error(f"threads must be a whole number, 0 for all cores, not {threads!r}")


class Simulation(_verve.Simulation):
    """A scene that is stepped frame by frame.

    scene: a dict or the path of a scene file; settings: what to change in it, {"damping.delta": 0.01} or words such as
    "damping.delta=0.01"; threads: the most to use, 0 for all cores. Throws Error, with the sentence that the command line would print, for anything that
    is wrong with the scene.

    A scene may say:
    """

    def __init__(self, scene, *, settings=(), threads=0):
        text, name, folder, given = _load(scene)
        super().__init__(text, name, folder, given, _first_frame(text), _words(settings), _count(threads))

    def __repr__(self):
        return f"<verve.Simulation at frame {self.frame} of {self.frames[0]}-{self.frames[1]}: {', '.join(self.bodies)}>"

    @property
    def scene(self):
        """The scene with every default filled in."""
        return json.loads(self.scene_json)


Simulation.__doc__ += "".join(
    f"\n    {p['path']}" + (f" = {json.dumps(p['default'])}" if "default" in p and p["kind"] not in ("object", "list") else "")
    + (f" ({p['unit']})" if "unit" in p else "") + f": {p['help']}"
    for p in parameters() if not p["path"].startswith("node."))


def run(scene, out, *, frames=None, settings=(), resume=False, threads=0, progress=None):
    """Simulates a scene into the folder `out`, as `verve run` does: cache, scene.json, report.csv and checkpoints.

    frames: (first, last) to cache; resume: go on from the folder's checkpoint; progress: called with the report of every
    frame, and stops the run by returning False. Returns the reports, a dict a frame. When the run stops, by an
    exception, Ctrl-C or `progress`, a checkpoint is saved and it can be resumed. Arrays of the scene are written to
    the folder, so that its scene.json can be run again.
    """
    out = os.fspath(out)
    if isinstance(scene, dict):
        scene = _with_files(scene, out)
    simulation = Simulation(scene, settings=settings, threads=threads)
    try:
        first, last = map(operator.index, frames or simulation.frames)
    except (TypeError, ValueError):
        raise Error(f"frames are the first and the last, such as (1, 24), not {frames!r}") from None
    if first < simulation.frames[0] or last < first:
        raise Error(f"frames {first}-{last}: the scene begins at frame {simulation.frames[0]}, and the first frame comes "
                    "before the last")
    cached = _verve.CachedRun(simulation, out, first, last, bool(resume))
    reports = [simulation.report()]
    try:
        cached.begin()
        while not cached.done():
            reports.append(cached.advance())
            if progress and progress(reports[-1]) is False:
                cached.save()
                return reports
    except BaseException:
        cached.save()
        raise
    cached.finish()
    return reports


def _with_files(scene, out):
    """The scene with its arrays as files in the folder of the run."""
    text, _, _, given = _load(scene)
    if not given:
        return scene
    os.makedirs(out, exist_ok=True)
    prepared = json.loads(text)
    prepared.setdefault("output", {}).setdefault("name", "scene")
    for place, arrays in given.items():
        points = arrays["points"]
        name = place.translate(str.maketrans("[].", "_-_")).replace("-", "")
        if getattr(points, "ndim", 2) == 3:
            file = f"{name}.$F4.bgeo"
            for i in range(len(points)):
                frame = _first_frame(text) + i
                _verve.write_arrays(os.path.join(out, f"{name}.{frame:04d}.bgeo"), place, {**arrays, "points": points[i]})
        else:
            file = f"{name}.bgeo"
            _verve.write_arrays(os.path.join(out, file), place, arrays)
        _rename(prepared, place, os.path.abspath(os.path.join(out, file)))
    return prepared


def _rename(value, old, new):
    for key in value if isinstance(value, dict) else range(len(value)):
        if isinstance(value[key], (dict, list)):
            _rename(value[key], old, new)
        elif key in ("file", "animation") and value[key] == old:
            value[key] = new


class CacheWriter:
    """Writes frames of one's own to a cache: FOLDER/NAME.0001.bgeo.sc and on, or one file for usda, pc2 and mdd.

        with verve.CacheWriter("out", "wave", format="usda") as cache:
            cache.write(1, points=P, polygons=F, attributes={"Cd": colours})
    """

    def __init__(self, folder, name="frame", *, format="bgeo.sc", fps=24.0, first_frame=1, resume_from=0):
        self._writer = _verve.CacheWriter(os.fspath(folder), name, format, fps, first_frame, resume_from)

    def write(self, frame, *, points, **arrays):
        """Hands a frame over, which is written in the background; frames come in increasing order."""
        unknown = set(arrays) - set(_ARRAYS)
        if unknown:
            raise TypeError(f"write() got an unexpected keyword argument {unknown.pop()!r}")
        self._writer.write(frame, {"points": points, **arrays})

    def finish(self):
        """Waits until all is on the disk; throws Error if something could not be written."""
        self._writer.finish()

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        if kind is None:
            self.finish()
