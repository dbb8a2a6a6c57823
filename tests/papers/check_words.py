"""run.sh answers wrong words with one line that names the nearest right one, and exit code 2."""
import subprocess
import sys
from pathlib import Path

RUN = Path(__file__).resolve().parents[2] / "examples/papers/run.sh"
CASES = {("hp_fg2",): "'hp_fig2'", ("validaton",): "'validation'", ("validation", "slop"): "'slope'", ("avf_table",): "'avf_table1'", ("--mesh", "nowhere.obj"): "nowhere.obj",
         ("--quik",): "'--quick'", ("--jobs", "0"): "--jobs 0"}

wrong = []
for words, part in CASES.items():
    done = subprocess.run([str(RUN), *words], capture_output=True, text=True)
    if done.returncode != 2 or done.stdout or done.stderr.count("\n") != 1 or part not in done.stderr:
        wrong.append(f"{words}: exit code {done.returncode}, said: {done.stdout}{done.stderr}")
print("\n".join(wrong))
sys.exit(bool(wrong))
