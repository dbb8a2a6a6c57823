"""Stand-in for the part of Houdini's Python that the assets, the shelf and the examples use. It knows the parameters of
Verve's nodes from their dialogs and solver/parameters/README.md, and of Houdini's own nodes those that public scripts set by these names."""
import copy
import glob
import os
import re
import types

PREFIX = "verve_8_8Sop_1"
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..")


def _read(*path):
    with open(os.path.join(ROOT, *path), encoding="utf-8") as file:
        return file.read()


def _dialog(op):
    """Names and first defaults of an asset's parameters."""
    text = _read("otls", "verve.hda", PREFIX + op, "DialogScript")
    found = {}
    for block in text.split("parm {")[1:]:
        name = re.search(r'name\s+"(\w+)"', block).group(1)
        kind = re.search(r"type\s+(\w+)", block).group(1)
        values = re.findall(r'"([^"]*)"', re.search(r"default \{(.*?)\}", block).group(1))
        if kind != "string":
            values = [int(v) if kind in ("integer", "toggle") else float(v) for v in values]
        found[name] = values
    return found


def _solver():
    table = _read("solver/parameters/README.md").split("<!-- parameters")[1].split("<!-- /parameters")[0]
    names = re.findall(r"^\| `(\w+)` \|", table, re.M)
    vectors = re.findall(r"^\| `(\w+)` \|[^|]*\| \[", table, re.M)
    return {n: [0] for n in names + ["resimulate", "savetodisk"] + [v + k for v in vectors for k in "xyz"]}


ASSETS = [os.path.basename(p)[len(PREFIX):] for p in glob.glob(os.path.join(ROOT, "otls", "verve.hda", PREFIX + "*"))]
VERVE = {"verve::" + a: _dialog(a) for a in ASSETS}
VERVE["verve::solver"] = VERVE["verve_solver"] = _solver()
XYZ = ["tx", "ty", "tz", "rx", "ry", "rz", "t", "r"]
# What Houdini's own nodes have of what the scripts set; a tuple stands beside its parts.
HOUDINI = {
    "geo": [], "xform": XYZ, "merge": ["affectortype"], "sphere": XYZ + ["type", "rad", "freq", "rows", "cols"], "testgeometry_rubbertoy": [], "file": ["file"],
    "box": XYZ + ["size", "sizex", "sizey", "sizez"],
    "grid": XYZ + ["size", "sizex", "sizey", "rows", "cols", "orient"],
    "groupcreate": ["groupname", "grouptype", "groupbase", "groupbounding", "boundtype", "size", "t"],
    "attribwrangle": ["class", "snippet"],
    "filecache::2.0": ["filemethod", "file", "timedependent", "loadfromdisk"],
    "topnet": [], "wedge": ["wedgecount", "wedgeattributes", "seed"],
    "ropfetch": ["roppath", "framegeneration", "batchall", "range"],
    "dopnet": ["startframe", "initialstate", "resimulate"], "emptyobject": [], "sopgeo": ["soppath"],
    "staticobject": ["soppath"], "applydata": [], "gravity": [], "output": [],
}
# These come with their count, one set for each.
MULTI = {"wedge": ("wedgeattributes", ["name", "type", "wedgetype", "floatrange", "intrange"])}


class OperationFailed(Exception):
    pass


class NodeError(Exception):
    pass


exprLanguage = types.SimpleNamespace(Hscript="hscript", Python="python")
attribType = types.SimpleNamespace(Point="point")


class Parm:
    def __init__(self, node, name):
        self.node, self.name = node, name

    def set(self, value):
        self.node.values[self.name] = value

    def setExpression(self, text, language=None):
        self.node.expressions[self.name] = text


class SopNode:
    def __init__(self, parent, kind, name):
        if kind not in VERVE and kind not in HOUDINI:
            raise OperationFailed("no node of type " + kind)
        self._parent, self.kind, self._name = parent, kind, name or kind.split(":")[0] + "1"
        self.values, self.expressions, self._inputs, self._children = {}, {}, {}, []
        self.displayed = False
        self.geo = None

    def _has(self, name):
        known = VERVE.get(self.kind) or HOUDINI.get(self.kind, [])
        count, names = MULTI.get(self.kind, ("", []))
        number = re.fullmatch(r"([a-z]+)(\d+)", name)
        if number and number.group(1) in names:
            return int(number.group(2)) <= self.values.get(count, 0)
        return name in known

    def parm(self, name):
        return Parm(self, name) if self._has(name) else None

    parmTuple = parm

    def setParms(self, values):
        for name in sorted(values):  # in no order that one could rely on
            if not self._has(name):
                raise OperationFailed("%s has no parameter %s" % (self.kind, name))
            self.values[name] = values[name]

    def setInput(self, index, node):
        self._inputs[index] = node

    def inputs(self):
        return tuple(self._inputs.get(i) for i in range(max(self._inputs, default=-1) + 1))

    def createNode(self, kind, name=None):
        node = SopNode(self, kind, name)
        self._children.append(node)
        return node

    def children(self):
        return tuple(self._children)

    def node(self, name):
        return next((c for c in self._children if c._name == name), None)

    def parent(self):
        return self._parent

    def path(self):
        return self._parent.path() + "/" + self._name if self._parent else self._name

    def setDisplayFlag(self, on):
        if on:
            for other in self._parent._children:
                other.displayed = False
        self.displayed = on

    def setRenderFlag(self, on):
        pass

    def layoutChildren(self):
        pass

    def destroy(self):
        self._parent._children.remove(self)

    # Of a node that cooks by Python.
    def geometry(self):
        return self.geo

    def evalParmTuple(self, name):
        value = self.values.get(name, VERVE[self.kind][name])
        return tuple(value) if isinstance(value, (list, tuple)) else (value,)

    def evalParm(self, name):
        return self.evalParmTuple(name)[0]


class Geometry:
    """Points with attributes as flat lists, and groups of point numbers."""

    def __init__(self, positions):
        self.points = {"P": list(positions)}
        self.sizes, self.groups, self.detail, self.primitives = {"P": 3}, {}, {}, 0

    def count(self):
        return len(self.points["P"]) // 3

    def intrinsicValue(self, name):
        return {"pointcount": self.count(), "primitivecount": self.primitives}[name]

    def findPointAttrib(self, name):
        return name if name in self.points else None

    def findGlobalAttrib(self, name):
        return name if name in self.detail else None

    def addAttrib(self, kind, name, default):
        if name in self.points:
            raise OperationFailed(name + " is there already")
        values = list(default) if isinstance(default, tuple) else [default]
        self.sizes[name] = len(values)
        self.points[name] = values * self.count()

    def _get(self, name):
        return tuple(self.points[name])

    def _set(self, name, kind, values):
        values = list(values)
        if len(values) != self.count() * self.sizes[name] or not all(isinstance(v, kind) for v in values):
            raise OperationFailed("wrong values for " + name)
        if not isinstance(self.points[name][0], kind):
            raise OperationFailed(name + " is of another type")
        self.points[name] = values

    pointFloatAttribValues = _get

    def setPointFloatAttribValues(self, name, values):
        self._set(name, float, values)

    def setPointIntAttribValues(self, name, values):
        self._set(name, int, values)

    def setPointStringAttribValues(self, name, values):
        self._set(name, str, values)

    def globPoints(self, pattern):
        return [types.SimpleNamespace(number=lambda i=i: i) for i in self.groups[pattern]]

    def iterPoints(self):
        return range(self.count())

    def clear(self):
        self.__init__([])


class Verb:
    """Runs nothing: what it was told is looked at by tests."""
    executed = []

    def __init__(self, name):
        self.name, self.parms = name, {}

    def setParms(self, parms):
        self.parms = dict(parms)

    def execute(self, geo, inputs):
        Verb.executed.append((self.name, self.parms, inputs))
        geo.primitives += 1


def sopNodeTypeCategory():
    return types.SimpleNamespace(nodeVerb=Verb)


_objects = SopNode(None, "geo", "/obj")
_selected = []
_present = None


def node(path):
    return _objects if path == "/obj" else None


def pwd():
    return _present


def selectedNodes():
    return tuple(_selected)


def cook(kind, inputs, **values):
    """An asset's Python on a copy of its first input, as Houdini cooks it."""
    global _present
    _present = SopNode(_objects, "verve::" + kind, kind)
    _present.values = values
    for index, geometry in enumerate(inputs):
        source = SopNode(_objects, "geo", "input")
        source.geo = geometry
        _present.setInput(index, source)
    _present.geo = copy.deepcopy(inputs[0])
    code = _read("otls", "verve.hda", PREFIX + kind, "PythonCook")
    exec(compile(code, kind, "exec"), {})
    return _present.geo


class _Ui:
    """Keeps what was told to the artist."""
    said = []

    def displayMessage(self, text, title=None):
        self.said.append(text)


ui = _Ui()
