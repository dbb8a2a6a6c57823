"""Looks into the add-on's .zip as Blender's installers do: python3 check_package.py ZIP

Old ones read bl_info without running the add-on; from 4.2 on they read blender_manifest.toml by the rules of its schema 1.0.0.
"""
import ast
import json
import re
import stat
import sys
import tomllib
import zipfile


def check(condition, what):
    print(("ok: " if condition else "FAILED: ") + what, flush=True)
    if not condition:
        sys.exit(1)


package = zipfile.ZipFile(sys.argv[1])
names = package.namelist()
check({name.split("/")[0] for name in names} == {"verve_blender"}, "one folder, as legacy add-ons and extensions have it")
check(not any(name.startswith("/") or ".." in name for name in names), "and nothing outside of it")
folder = "verve_blender/"
read = lambda name: package.read(folder + name)

# bl_info is a literal: Blender parses it.
body = ast.parse(read("__init__.py")).body
info = [ast.literal_eval(node.value) for node in body if isinstance(node, ast.Assign) and node.targets[0].id == "bl_info"]
check(len(info) == 1 and info[0]["blender"] == (3, 4, 0) and info[0]["category"] == "Physics", "bl_info is for 3.4 and later")

manifest = tomllib.loads(read("blender_manifest.toml").decode())
check(manifest["schema_version"] == "1.0.0" and manifest["type"] == "add-on", "the manifest is of schema 1.0.0")
for key in ("id", "version", "name", "tagline", "maintainer", "blender_version_min"):
    check(isinstance(manifest.get(key), str) and manifest[key], f"the manifest has {key}")
check(re.fullmatch(r"[A-Za-z][A-Za-z0-9]*(_[A-Za-z0-9]+)*", manifest["id"]) and manifest["id"] + "/" == folder,
      "its id is a name in Python")
check(tuple(map(int, manifest["version"].split("."))) == info[0]["version"], "both have one version")
check(tuple(map(int, manifest["blender_version_min"].split("."))) >= (4, 2, 0), "extensions are for 4.2 and later")
for text in (manifest["tagline"], *manifest["permissions"].values()):
    check(len(text) <= 64 and re.search(r"[\w)\]}]$", text), f"at most 64 characters without a point at the end: {text}")
known = {"3D View", "Add Curve", "Add Mesh", "Animation", "Bake", "Camera", "Compositing", "Development", "Game Engine",
         "Geometry Nodes", "Grease Pencil", "Import-Export", "Lighting", "Material", "Modeling", "Mesh", "Node", "Object",
         "Paint", "Pipeline", "Physics", "Render", "Rigging", "Scene", "Sculpt", "Sequencer", "System", "Text Editor",
         "Tracking", "User Interface", "UV"}
check(set(manifest["tags"]) <= known, "its tags are Blender's")
check(set(manifest["permissions"]) <= {"files", "network", "clipboard", "camera", "microphone"}, "its permissions too")
check(all(re.fullmatch(r"SPDX:[\w.-]+", word) for word in manifest["license"]), "the licence is said by SPDX")
check(set(manifest["platforms"]) <= {"windows-x64", "windows-arm64", "macos-x64", "macos-arm64", "linux-x64"},
      "its platforms are Blender's")

# The program and what it needs.
check("bin/verve" in {name[len(folder):] for name in names} and read("bin/verve")[:4] == b"\x7fELF", "the program is in it")
check(all(read(name[len(folder):])[:4] == b"\x7fELF" for name in names if "/bin/lib/" in name and not name.endswith("/")),
      "and its libraries")
check(stat.S_IMODE(package.getinfo(folder + "bin/verve").external_attr >> 16) & 0o100, "it may be run where modes are unpacked")
check(b"MIT License" in read("LICENSE"), "the licence is in it")
check(any(row["path"] == "integrator.type" for row in json.loads(read("parameters.json"))), "the table of parameters too")
for name in names:
    if name.endswith(".py"):
        compile(package.read(name), name, "exec")
check(not [name for name in names if "__pycache__" in name or name.endswith((".pyc", ".blend"))], "and nothing left over")
print("the package is well")
