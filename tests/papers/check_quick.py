"""Runs examples/papers/run.sh SUITE --quick and fails where a verdict is worse than expected says: expected.csv of the
papers, expected_validation.csv of the validation.

They have: experiment,claim,verdict; the verdict `any` is for what depends on the clock.
"""
import csv
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
SUITE = sys.argv[1] if len(sys.argv) > 1 else "papers"
EXPECTED = HERE / ("expected.csv" if SUITE == "papers" else f"expected_{SUITE}.csv")
PAPERS = HERE.parents[1] / "examples/papers"
sys.dont_write_bytecode = True
sys.path.insert(0, str(PAPERS))

from experiment import FROM_WORST  # noqa: E402


def verdicts(file):
    with open(file, newline="") as rows:
        return {(row["experiment"], row["claim"]): row for row in csv.DictReader(rows)}


def complaints(expected, found):
    for claim in sorted(expected.keys() ^ found.keys()):
        yield f"{claim}: {'not in the report' if claim in expected else f'not in {EXPECTED.name}'}"
    for claim in sorted(expected.keys() & found.keys()):
        wanted, row = expected[claim]["verdict"], found[claim]
        if wanted != "any" and FROM_WORST.index(row["verdict"]) < FROM_WORST.index(wanted):
            yield (f"{claim}: {row['verdict']}, expected {wanted}: {row['measured']}; wanted {row['wanted']} "
                   f"{row['why']}")


with tempfile.TemporaryDirectory() as folder:
    subprocess.run([str(PAPERS / "run.sh"), SUITE, "--quick", "--out", folder], check=True)
    wrong = list(complaints(verdicts(EXPECTED), verdicts(Path(folder) / "verdicts.csv")))
    if not (Path(folder) / "report.html").stat().st_size > 100_000:
        wrong.append("report.html has no plots or pictures in it")
print("\n".join(wrong))
sys.exit(bool(wrong))
