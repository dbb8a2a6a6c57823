"""No room of solver/ includes one that the table in solver/README.md has further down; and every room stands there once."""
import pathlib
import re
import sys

solver = pathlib.Path(__file__).resolve().parent.parent / "solver"
table = re.findall(r"^\| (`solver/.*?) \|", (solver / "README.md").read_text(), re.M)
level = {room: row for row, cell in enumerate(table) for room in re.findall(r"`solver/(\w+)`", cell)}

problems = []
rooms = sorted(entry.name for entry in solver.iterdir() if entry.is_dir())
for room in rooms:
    if room not in level:
        problems.append(f"solver/{room} has no row in the table of solver/README.md")
for room in sorted(level):
    if room not in rooms:
        problems.append(f"solver/README.md names solver/{room}, which is not there")

# Rooms that share a row stand beside each other: they do not include one another either.
for source in sorted(solver.glob("*/*.h")) + sorted(solver.glob("*/*.cpp")):
    room = source.parent.name
    for number, line in enumerate(source.read_text().splitlines(), 1):
        include = re.match(r'#include "(\w+)/', line)
        if not include or include[1] == room:
            continue
        other = include[1]
        if other not in level:
            problems.append(f"{source.name}:{number}: includes '{other}', which is no room")
        elif room in level and level[other] >= level[room]:
            problems.append(f"solver/{room}/{source.name}:{number}: {room} must not know of {other}")

print("\n".join(problems) or f"{len(rooms)} rooms, none of which includes one further down")
sys.exit(1 if problems else 0)
