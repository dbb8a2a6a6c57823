"""The report: one HTML file that needs nothing beside it."""
import base64
from html import escape

COLOURS = {"reproduced": "#2e8b57", "better": "#1b6ca8", "not reproduced": "#c0392b", "not run": "#888", "see elsewhere": "#888"}
STYLE = """body{font:15px/1.5 sans-serif;max-width:1100px;margin:2em auto;padding:0 1em;color:#222}
table{border-collapse:collapse;margin:.6em 0}td,th{padding:.2em .8em;border-bottom:1px solid #ddd;text-align:left}
.verdict{color:white;border-radius:4px;padding:.1em .6em;white-space:nowrap}section{border-top:2px solid #ddd;margin-top:2em}
figure{margin:.8em 0}figcaption{color:#555}img{max-width:100%}.plots{display:flex;flex-wrap:wrap;gap:1em}.plots img{width:530px}
details{color:#555}"""


def embedded(path):
    kind = "svg+xml" if path.suffix == ".svg" else "png"
    return f"data:image/{kind};base64,{base64.b64encode(path.read_bytes()).decode()}"


def badge(verdict):
    return f'<span class="verdict" style="background:{COLOURS[verdict]}">{verdict}</span>'


def table(numbers):
    rows = "".join(f"<tr><td>{escape(name)}</td><td>{escape(value)}</td></tr>" for name, value in numbers.items())
    return f"<table>{rows}</table>" if rows else ""


def section(done):
    """One experiment: claim, numbers, verdict, pictures."""
    e, finding = done.experiment, done.finding
    plots = "".join(f'<img src="{embedded(p)}" alt="plot">' for p in done.plots)
    pictures = "".join(f'<figure><img src="{embedded(path)}" alt="frames"><figcaption>{escape(label)}, frames '
                       f'{", ".join(map(str, frames))}</figcaption></figure>' for label, frames, path in done.pictures)
    runs = "".join(f"<li>{escape(r.label)}: {r.seconds:.1f} s{', ' + escape(r.message) if r.message else ''}</li>"
                   for r in done.results.values())
    return (f'<section id="{e.name}"><h2>{escape(e.title)} {badge(finding.verdict)}</h2>'
            f"<p><b>Claim.</b> {escape(e.claim)}</p>" + (f"<p><b>Ours.</b> {escape(e.setup)}</p>" if e.setup else "") +
            f"<p><b>Verdict.</b> {escape(finding.remark)}</p>{table(finding.numbers)}"
            f'<div class="plots">{plots}</div>{pictures}' +
            (f"<details><summary>Runs</summary><ul>{runs}</ul></details>" if runs else "") + "</section>")


def page(all_done, heading):
    rows = "".join(f'<tr><td><a href="#{d.experiment.name}">{escape(d.experiment.title)}</a></td>'
                   f"<td>{badge(d.finding.verdict)}</td></tr>" for d in all_done)
    return (f'<!doctype html><html lang="en"><meta charset="utf-8"><title>The papers, reproduced</title><style>{STYLE}</style>'
            f"<h1>The papers, reproduced</h1><p>{escape(heading)}</p><table>{rows}</table>"
            + "".join(section(d) for d in all_done) + "</html>")
