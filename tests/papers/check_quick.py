"""Runs examples/papers/run.sh --quick and fails where a verdict is worse than expected.csv says.

expected.csv: experiment,claim,verdict; the verdict `any` is for what depends on the clock.
"""
import csv
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
PAPERS = HERE.parents[1] / "examples/papers"
sys.dont_write_bytecode = True
sys.path.insert(0, str(PAPERS))

from experiment import FROM_WORST  # noqa: E402


def verdicts(file):
    with open(file, newline="") as rows:
        return {(row["experiment"], row["claim"]): row for row in csv.DictReader(rows)}


def complaints(expected, found):
    for claim in sorted(expected.keys() ^ found.keys()):
        yield f"{claim}: {'not in the report' if claim in expected else 'not in expected.csv'}"
    for claim in sorted(expected.keys() & found.keys()):
        wanted, row = expected[claim]["verdict"], found[claim]
        if wanted != "any" and FROM_WORST.index(row["verdict"]) < FROM_WORST.index(wanted):
            yield (f"{claim}: {row['verdict']}, expected {wanted}: {row['measured']}; wanted {row['wanted']} "
                   f"{row['why']}")


with tempfile.TemporaryDirectory() as folder:
    subprocess.run([str(PAPERS / "run.sh"), "--quick", "--out", folder], check=True)
    wrong = list(complaints(verdicts(HERE / "expected.csv"), verdicts(Path(folder) / "verdicts.csv")))
    if not (Path(folder) / "report.html").stat().st_size > 100_000:
        wrong.append("report.html has no plots or pictures in it")
print("\n".join(wrong))
sys.exit(bool(wrong))
