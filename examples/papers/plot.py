"""Line plots as SVG, with nothing but the standard library."""
import math
from html import escape

COLOURS = ["#1b6ca8", "#d1495b", "#2e8b57", "#8a5fbf", "#e08e0b", "#4a4a4a", "#00a6a6", "#b5651d"]
WIDTH, HEIGHT, LEFT, RIGHT, BOTTOM = 640, 360, 74, 16, 44


def ticks(low, high, count=5):
    """Round values between low and high."""
    raw = (high - low) / count
    unit = 10 ** math.floor(math.log10(raw))
    step = next(unit * m for m in (1, 2, 5, 10) if unit * m >= raw * 0.999)
    first = math.ceil(low / step - 1e-9)
    return [i * step for i in range(first, math.floor(high / step + 1e-9) + 1)]


def log_ticks(low, high):
    every = max(1, math.ceil((high - low) / 6))
    return list(range(math.ceil(low), math.floor(high) + 1, every))


def line_plot(plot, series):
    """An SVG of series [(label, xs, ys)] as a Plot asks for it."""
    log = plot.log

    def shown(y):
        return math.log10(y) if log else y

    series = [(label, [(x, shown(y)) for x, y in zip(xs, ys) if math.isfinite(y) and (not log or y > 0)])
              for label, xs, ys in series]
    series = [(label, points) for label, points in series if points]
    if not series:
        return None
    top = 34 + 16 * ((len(series) + 1) // 2)  # the legend stands above the plot, two a row
    xs = [x for _, points in series for x, _ in points]
    ys = [y for _, points in series for _, y in points]
    x0, x1 = min(xs), max(xs)
    y0, y1 = min(ys), max(ys)
    room = 0.06 * (y1 - y0) or 0.1 * abs(y1) or 1
    y0, y1 = y0 - room, y1 + room
    if x1 == x0:
        x1 = x0 + 1

    def place(x, y):
        return (LEFT + (x - x0) / (x1 - x0) * (WIDTH - LEFT - RIGHT),
                HEIGHT - BOTTOM - (y - y0) / (y1 - y0) * (HEIGHT - top - BOTTOM))

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" '
           f'font-size="12"><rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
           f'<clipPath id="frame"><rect x="{LEFT}" y="{top}" width="{WIDTH - LEFT - RIGHT}" '
           f'height="{HEIGHT - top - BOTTOM}"/></clipPath>',
           f'<text x="{LEFT}" y="20" font-size="14" font-weight="bold">{escape(plot.title)}</text>']
    for value in (log_ticks(y0, y1) if log else ticks(y0, y1)):
        _, y = place(x0, value)
        name = f"1e{value}" if log else f"{value:.6g}"
        out.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}" stroke="#e4e4e4"/>'
                   f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{name}</text>')
    for value in ticks(x0, x1, 6):
        x, _ = place(value, y0)
        out.append(f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">{value:.6g}</text>')
    for i, (label, points) in enumerate(series):
        colour = COLOURS[i % len(COLOURS)]
        step = max(1, len(points) // 1500)
        places = [place(*point) for point in points[::step]]
        mark = ' stroke-dasharray="6,3"' if i % 2 and not plot.dots else ""
        if plot.dots:
            out += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.5" fill="{colour}"/>' for x, y in places]
        else:
            path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
            out.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.6"{mark} '
                       'clip-path="url(#frame)"/>')
        x, y = LEFT + 280 * (i % 2), 38 + 16 * (i // 2)
        out.append(f'<line x1="{x}" x2="{x + 22}" y1="{y - 4}" y2="{y - 4}" stroke="{colour}" '
                   f'stroke-width="2"{mark}/>'
                   f'<text x="{x + 28}" y="{y}">{escape(label)}</text>')
    out.append(f'<text x="{WIDTH / 2}" y="{HEIGHT - 8}" text-anchor="middle">{escape(plot.x_label)}</text>'
               f'<text transform="translate(14 {HEIGHT / 2}) rotate(-90)" '
               f'text-anchor="middle">{escape(plot.y_label)}</text>'
               '</svg>')
    return "\n".join(out)
