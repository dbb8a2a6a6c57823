"""Example networks, built by Python: each function makes one in /obj and returns its solver.

    hython examples/houdini/build.py stairs stairs.hip
"""
import hou


def _container(name):
    geo = hou.node("/obj").createNode("geo", name)
    for child in geo.children():
        child.destroy()
    return geo


def _solver(parent, source, colliders=None, targets=None, **parms):
    solver = parent.createNode("verve::solver")
    solver.setInput(0, source)
    if targets is not None:
        solver.setInput(1, targets)
    if colliders is not None:
        solver.setInput(2, colliders)
    solver.setParms(parms)
    solver.setDisplayFlag(True)
    solver.setRenderFlag(True)
    parent.layoutChildren()
    return solver


def soft_body_on_stairs(size=0.06, surface=None):
    """A soft figure falls on stairs, with a clean surface carried by a cage of tets. The figure is Houdini's rubber toy, or
    comes from a file. This writes the hare of the other examples:

        verve run examples/drop.json --out out/hare --frames 1-1 && verve convert out/hare/drop.0001.bgeo.sc hare.obj
    """
    parent = _container("stairs")
    figure = parent.createNode("testgeometry_rubbertoy" if surface is None else "file")
    if surface is not None:
        figure.parm("file").set(surface)
    lift = parent.createNode("xform")
    lift.setInput(0, figure)
    lift.parmTuple("t").set((0.0, 2.2, 0.1))
    cage = parent.createNode("verve::tetcage")
    cage.setInput(0, lift)
    cage.parm("size").set(size)
    material = parent.createNode("verve::material")
    material.setInput(0, cage)
    material.parm("preset").set("jelly")
    merge = parent.createNode("merge", "steps")
    for i in range(5):
        step = parent.createNode("box", "step%d" % i)
        step.parmTuple("size").set((3.0, 0.4, 0.8))
        step.parmTuple("t").set((0.0, 1.0 - 0.4 * i, 0.8 * i))
        merge.setInput(i, step)
    solver = _solver(parent, material, merge, friction=0.5, delta=0.01)
    embed = parent.createNode("verve::embed")
    for i, node in enumerate((lift, cage, solver)):
        embed.setInput(i, node)
    embed.setDisplayFlag(True)
    parent.layoutChildren()
    return solver


def flag(cells=30):
    """A flag whose pole is animated."""
    parent = _container("flag")
    grid = parent.createNode("grid")
    grid.setParms({"sizex": 1.5, "sizey": 1.0, "rows": cells, "cols": int(cells * 1.5), "orient": "xy"})
    pole = parent.createNode("groupcreate", "pole")
    pole.setInput(0, grid)
    pole.setParms({"groupname": "pole", "grouptype": 1, "groupbase": 0, "groupbounding": 1})
    pole.parmTuple("size").set((0.01, 2.0, 1.0))
    pole.parmTuple("t").set((-0.75, 0.0, 0.0))
    swing = parent.createNode("xform", "swing")
    swing.setInput(0, pole)
    swing.parm("tx").setExpression("0.5 * sin(180 * $T)")
    swing.parm("ry").setExpression("30 * sin(120 * $T)")
    material = parent.createNode("verve::material")
    material.setInput(0, swing)
    material.parm("preset").set("silk")
    configure = parent.createNode("verve::configure")
    configure.setInput(0, material)
    configure.parm("pingroup").set("pole")
    return _solver(parent, configure, substeps=2, eta=0.3)


def twisted_bar():
    """A bar, twisted by a full turn and let go: the motion never dies unless damping is asked for."""
    parent = _container("twisted_bar")
    box = parent.createNode("box")
    box.parmTuple("size").set((2.0, 0.25, 0.25))
    cage = parent.createNode("verve::tetcage")
    cage.setInput(0, box)
    cage.parm("size").set(0.1)
    rest = parent.createNode("verve::configure")
    rest.setInput(0, cage)
    twist = parent.createNode("attribwrangle", "twist")
    twist.setInput(0, rest)
    twist.parm("snippet").set(
        "float a = PI * @P.x;\nfloat y = @P.y, z = @P.z;\n"
        "@P.y = cos(a) * y - sin(a) * z;\n@P.z = sin(a) * y + cos(a) * z;")
    return _solver(parent, twist, gravityy=0.0, young=2.0, youngexp="4")


def jelly_on_the_ground():
    """A cube of jelly on a ground plane: the Quick tab alone."""
    parent = _container("jelly_on_the_ground")
    box = parent.createNode("box")
    box.parmTuple("size").set((0.5, 0.5, 0.5))
    cage = parent.createNode("verve::tetcage")
    cage.setInput(0, box)
    cage.parm("size").set(0.1)
    return _solver(parent, cage, softpreset="jelly", quality="preview", groundplane=1, groundheight=-0.8)


def balloon():
    """A sphere of cloth that is pumped up to twice its volume and falls on the ground."""
    parent = _container("balloon")
    sphere = parent.createNode("sphere")
    sphere.setParms({"type": "poly", "freq": 6})
    return _solver(parent, sphere, dopressure="isothermal", gasamount=2.0, gasoutside=2000.0, groundplane=1,
                   groundheight=-1.5, guides="contact")


def torn_banner(cells=12):
    """Two cloths, one of which hangs; stitches hold the other to it until the wind tears them."""
    parent = _container("torn_banner")
    merge = parent.createNode("merge", "cloths")
    for i in range(2):
        grid = parent.createNode("grid", "half%d" % i)
        grid.setParms({"sizex": 1.0, "sizey": 1.0, "rows": cells, "cols": cells, "orient": "xy"})
        grid.parmTuple("t").set((1.05 * i, 0.0, 0.0))
        merge.setInput(i, grid)
    pole = parent.createNode("groupcreate", "pole")
    pole.setInput(0, merge)
    pole.setParms({"groupname": "pole", "grouptype": 1, "groupbase": 0, "groupbounding": 1})
    pole.parmTuple("size").set((0.01, 2.0, 1.0))
    pole.parmTuple("t").set((-0.5, 0.0, 0.0))
    configure = parent.createNode("verve::configure")
    configure.setInput(0, pole)
    configure.parm("pingroup").set("pole")
    stitches = parent.createNode("attribwrangle", "stitches")
    stitches.setInput(0, configure)
    stitches.setParms({"class": 0, "snippet": STITCHES % cells})
    return _solver(parent, configure, targets=stitches, fabric="denim", doair="on", windz=12.0)


# The second input of a solver: the same points, and a line for each stitch in the place of the cloths.
STITCHES = """int rows = %d;
for (int i = 0; i < nprimitives(0); i++) removeprim(0, i, 0);
for (int row = 0; row < rows; row++) {
    int line = addprim(0, "polyline", row * rows + rows - 1, npoints(0) / 2 + row * rows);
    setprimattrib(0, "type", line, "stitch");
    setprimattrib(0, "stiffness", line, 500.0);
    setprimattrib(0, "dampingratio", line, 0.2);
    setprimattrib(0, "breakthreshold", line, 1.5);
    setprimattrib(0, "breaktype", line, "stretchstress");
}"""


def saved_to_disk(folder="$HIP/geo"):
    """Jelly whose frames the solver itself writes: press Save to Disk, then switch Load from Disk on."""
    solver = jelly_on_the_ground()
    solver.setParms({"cachefolder": folder, "cachename": "jelly", "endframe": 48, "checkpointevery": 12})
    return solver


def damping_wedge(folder="$HIP/geo/verve"):
    """The twisted bar with four dampings, cached one after the other's side by TOPs."""
    solver = twisted_bar()
    parent = solver.parent()
    cache = parent.createNode("filecache::2.0", "cache")
    cache.setInput(0, solver)
    cache.setParms({"filemethod": 1, "timedependent": 1})
    cache.parm("file").set(folder + "/bar_w`@wedgeindex`.$F4.bgeo.sc")
    solver.parm("delta").setExpression("@delta", hou.exprLanguage.Hscript)
    tops = hou.node("/obj").createNode("topnet", "wedges")
    wedge = tops.createNode("wedge")
    wedge.setParms({"wedgecount": 4, "wedgeattributes": 1})
    wedge.setParms({"name1": "delta", "type1": 0, "wedgetype1": 0})  # there are none before their count
    wedge.parmTuple("floatrange1").set((0.0, 0.03))
    fetch = tops.createNode("ropfetch")
    fetch.setInput(0, wedge)
    # A simulation is one ordered task: all frames of a wedge in one batch.
    fetch.setParms({"roppath": cache.path() + "/render", "framegeneration": 1, "batchall": 1})
    tops.layoutChildren()
    return solver


def _dop_body(network, name, surface, solver):
    """An object with the geometry of a SOP and the solver; gives back what ends its chain."""
    empty = network.createNode("emptyobject", name)
    geometry = network.createNode("sopgeo")
    geometry.parm("soppath").set(surface.path())
    geometry.setInput(0, empty)
    apply = network.createNode("applydata")
    apply.setInput(0, geometry)
    apply.setInput(1, solver)
    return apply


def _dop_end(network, last):
    gravity = network.createNode("gravity")
    gravity.setInput(0, last)
    output = network.node("output") or network.createNode("output")
    output.setInput(0, gravity)
    network.layoutChildren()


def dop_two_bodies():
    """Two blocks in one DOP network that affect each other both ways: the upper one falls on the lower one, and both on the
    ground of the solver."""
    network = hou.node("/obj").createNode("dopnet", "two")
    solver = network.createNode("verve_solver")
    solver.setParms({"groundplane": 1, "groundheight": -0.6, "guides": "all"})
    merge = network.createNode("merge")
    merge.parm("affectortype").set(2)  # mutual
    for i in range(2):
        parent = _container("block%d" % i)
        box = parent.createNode("box")
        box.parmTuple("t").set((0.2 * i, 1.3 * i, 0.0))
        cage = parent.createNode("verve::tetcage")
        cage.setInput(0, box)
        cage.parm("size").set(0.25)
        cage.setDisplayFlag(True)
        cage.setRenderFlag(True)
        merge.setInput(i, _dop_body(network, "body%d" % i, cage, solver))
    _dop_end(network, merge)
    return network, solver


def dop_soft_body():
    """The same solver as a DOP: a block that falls on a slab, which affects it as a collider."""
    parent = _container("block")
    slab = parent.createNode("box", "slab")
    slab.parmTuple("size").set((6.0, 0.2, 6.0))
    slab.parmTuple("t").set((0.0, -0.6, 0.0))
    box = parent.createNode("box")
    box.parmTuple("t").set((0.0, 1.0, 0.0))
    cage = parent.createNode("verve::tetcage")
    cage.setInput(0, box)
    cage.parm("size").set(0.25)
    cage.setDisplayFlag(True)
    cage.setRenderFlag(True)
    network = hou.node("/obj").createNode("dopnet", "sim")
    solver = network.createNode("verve_solver")
    apply = _dop_body(network, "body", cage, solver)
    floor = network.createNode("staticobject", "floor")
    floor.parm("soppath").set(slab.path())
    merge = network.createNode("merge")  # what is left affects what is right of it
    merge.setInput(0, floor)
    merge.setInput(1, apply)
    _dop_end(network, merge)
    return network, solver
