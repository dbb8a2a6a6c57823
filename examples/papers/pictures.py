"""Filmstrips of runs: by Blender, or by the program's own rasteriser."""
import json
import shutil
import subprocess

from runs import HERE, VERVE

WAYS = ("blender", "builtin", "none")
CELL = 240  # pixels of a frame, both ways


def way_of(chosen):
    """How pictures are to be made: as asked for, or Blender where it is installed and time matters less."""
    if chosen.pictures:
        return chosen.pictures
    return "blender" if shutil.which("blender") and not chosen.quick else "builtin"


def by_program(folder, frames, picture):
    command = [VERVE, "view", str(folder), "--png", str(picture), "--width", str(CELL), "--height", str(CELL)]
    for frame in frames:
        command += ["--frame", str(frame)]
    return subprocess.run(command, capture_output=True).returncode == 0


def by_blender(folder, frames, picture):
    """Blender draws bodies and level floors; a scene with other colliders is left to the program."""
    scene = json.loads((folder / "scene.json").read_text())
    colliders = scene.get("colliders", [])
    if any(c.get("shape") != "plane" for c in colliders):
        return by_program(folder, frames, picture)
    files = []
    for frame in frames:
        source = next(folder.glob(f"*.{frame:04}.bgeo.sc"))
        files.append(folder / f"picture.{frame:04}.obj")
        subprocess.run([VERVE, "convert", str(source), str(files[-1])], check=True, capture_output=True)
    floor = [str(colliders[0]["offset"])] if colliders else ["none"]
    command = ["blender", "-b", "--factory-startup", "--python-exit-code", "1", "--python",
               str(HERE / "render.py"),
               "--", str(picture), str(CELL), *floor, *map(str, files)]
    done = subprocess.run(command, capture_output=True, text=True)
    for file in files:
        file.unlink()
    return done.returncode == 0 and picture.exists()


def draw(result, frames, picture, way):
    """Draws a run's frames. Gives those drawn: what it did not reach is left out."""
    reached = [f for f in frames if result.columns and f <= result["frame"][-1]]
    if way == "none" or not reached:
        return []
    draw_with = by_blender if way == "blender" else by_program
    return reached if draw_with(result.folder, reached, picture) else []
