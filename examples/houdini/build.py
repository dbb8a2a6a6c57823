"""hython build.py NAME FILE.hip [SURFACE.obj]: writes a scene with one of the example networks; a surface falls on the
stairs."""
import sys

import hou

import networks

BUILDERS = {
    "stairs": networks.soft_body_on_stairs,
    "flag": networks.flag,
    "twisted_bar": networks.twisted_bar,
    "jelly": networks.jelly_on_the_ground,
    "balloon": networks.balloon,
    "banner": networks.torn_banner,
    "saved": networks.saved_to_disk,
    "wedge": networks.damping_wedge,
    "dop": networks.dop_soft_body,
    "two": networks.dop_two_bodies,
}

if __name__ == "__main__":
    given = {"surface": sys.argv[3]} if len(sys.argv) == 4 and sys.argv[1] == "stairs" else {}
    if len(sys.argv) != 3 + len(given) or sys.argv[1] not in BUILDERS:
        sys.exit("usage: hython build.py %s FILE.hip [SURFACE.obj for the stairs]" % "|".join(BUILDERS))
    hou.setFps(24)
    BUILDERS[sys.argv[1]](**given)
    hou.hipFile.save(sys.argv[2])
