"""The report: one HTML file that needs nothing beside it."""
import base64
from collections import Counter
from html import escape

from experiment import FROM_WORST

COLOURS = {"reproduced": "#2e8b57", "better": "#1b6ca8", "not reproduced": "#c0392b", "not run": "#888",
           "not judged": "#888"}
STYLE = """:root{color-scheme:light dark;--text:#222;--quiet:#555;--line:#ddd;--back:#fff;--link:#1b6ca8}
@media (prefers-color-scheme:dark){:root{--text:#d8dce4;--quiet:#9aa3b2;--line:#3a404b;--back:#16181c;--link:#7db8ea}
.plots img{background:#fff;border-radius:4px}}
body{font:15px/1.5 sans-serif;max-width:1100px;margin:2em auto;padding:0 1em;color:var(--text);background:var(--back)}
a{color:var(--link)}
table{border-collapse:collapse;margin:.6em 0;display:block;overflow-x:auto}
td,th{padding:.2em .8em;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}
.verdict{color:white;border-radius:4px;padding:.1em .6em;white-space:nowrap}
section{border-top:2px solid var(--line);margin-top:2em}figure{margin:.8em 0}
figcaption,details,.why{color:var(--quiet)}img{max-width:100%}
.plots{display:flex;flex-wrap:wrap;gap:1em}.plots img{width:530px}"""


def embedded(path):
    kind = "svg+xml" if path.suffix == ".svg" else "png"
    return f"data:image/{kind};base64,{base64.b64encode(path.read_bytes()).decode()}"


def badge(verdict):
    return f'<span class="verdict" style="background:{COLOURS[verdict]}">{verdict}</span>'


def claims(done):
    """What the paper says, what we measured, the verdict, and why it is not the paper's."""
    rows = ""
    for key, text in done.experiment.claims.items():
        judged = done.finding.claims[key]
        cells = [escape(text), escape(judged.measured), escape(judged.wanted), badge(judged.verdict)]
        if judged.why:
            cells[1] += f'<div class="why">{escape(judged.why)}</div>'
        rows += "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"
    return f"<table><tr><th>Claim</th><th>Ours</th><th>Wanted</th><th>Verdict</th></tr>{rows}</table>"


def details(summary, items):
    listed = "".join(f"<li>{escape(item)}</li>" for item in items)
    return f"<details><summary>{summary}</summary><ul>{listed}</ul></details>" if listed else ""


def section(done):
    """One experiment: claims, verdicts, pictures, numbers."""
    e = done.experiment
    plots = "".join(f'<img src="{embedded(p)}" alt="plot">' for p in done.plots)
    strips = "".join(f'<figure><img src="{embedded(path)}" alt="frames"><figcaption>{escape(label)}, frames '
                     f'{", ".join(map(str, frames))}</figcaption></figure>'
                     for label, frames, path in done.pictures)
    chosen = f"<p><b>Chosen so that the effect shows.</b> {escape(e.chosen)}</p>" if e.chosen else ""
    runs = [f"{r.label}: {r.seconds:.1f} s{', ' + r.message if r.message else ''}"
            for r in done.results.values()]
    return (f'<section id="{e.name}"><h2>{escape(e.title)}</h2><p>{escape(e.setup)}</p>{chosen}{claims(done)}'
            f'<div class="plots">{plots}</div>{strips}'
            + details("Numbers", [f"{name}: {value}" for name, value in done.finding.numbers.items()])
            + details("Runs", runs) + "</section>")


def overview(all_done):
    rows = ""
    for done in all_done:
        e = done.experiment
        title = f'<td rowspan="{len(e.claims)}"><a href="#{e.name}">{escape(e.title)}</a></td>'
        for key, text in e.claims.items():
            verdict = badge(done.finding.claims[key].verdict)
            rows += f"<tr>{title}<td>{escape(text)}</td><td>{verdict}</td></tr>"
            title = ""
    return f"<table>{rows}</table>"


def page(all_done, title, heading):
    count = Counter(judged.verdict for done in all_done for judged in done.finding.claims.values())
    told = ", ".join(f"{count[verdict]} {verdict}" for verdict in reversed(FROM_WORST) if count[verdict])
    return (f'<!doctype html><html lang="en"><meta charset="utf-8">'
            f'<meta name="viewport" content="width=device-width, initial-scale=1"><title>{escape(title)}</title>'
            f"<style>{STYLE}</style><h1>{escape(title)}</h1><p>{escape(heading)}</p>"
            f"<p>{count.total()} claims: {told}.</p>{overview(all_done)}"
            + "".join(section(d) for d in all_done) + "</html>")
