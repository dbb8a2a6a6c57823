"""hython build.py NAME FILE.hip: writes a scene with one of the example networks."""
import sys

import hou

import networks

BUILDERS = {
    "stairs": networks.soft_body_on_stairs,
    "flag": networks.flag,
    "twisted_bar": networks.twisted_bar,
    "wedge": networks.damping_wedge,
    "dop": networks.dop_soft_body,
}

if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in BUILDERS:
        sys.exit("usage: hython build.py %s FILE.hip" % "|".join(BUILDERS))
    hou.setFps(24)
    BUILDERS[sys.argv[1]]()
    hou.hipFile.save(sys.argv[2])
