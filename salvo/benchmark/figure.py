"""Draws the rows of the benchmark as an SVG: a panel a task, a mark with its interval an agent."""

import math
from collections.abc import Iterator, Sequence
from html import escape

from salvo.benchmark.standings import Row
from salvo.benchmark.tasks import TASKS, VERSION

WIDTH, LEFT, RIGHT = 820, 250, 90
LINE, TITLE = 19, 46
LONGEST = 32  # letters of a label
_INK, _FAINT, _GRID, _MARK, _BEST = "#1c2733", "#8a97a3", "#dde3e8", "#0b6aa8", "#b3541e"
_RIGHT = 'text-anchor="end"'


def figure_of(rows: Sequence[Row]) -> str:
    """Return the figure; each panel has a scale of its own, and a line at the optimum if known."""
    parts: list[str] = []
    top = 10
    for task in TASKS.values():
        own = [row for row in rows if row.task == task]
        if own:
            parts += _panel(own, top)
            top += TITLE + LINE * len(own) + 16
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {top}" role="img" '
        f'aria-label="{VERSION}: what each agent scores" font-family="sans-serif" '
        f'font-size="13">\n<rect width="{WIDTH}" height="{top}" fill="#ffffff"/>\n'
        + "\n".join(parts)
        + "\n</svg>\n"
    )


def _panel(rows: Sequence[Row], top: int) -> Iterator[str]:
    task = rows[0].task
    ends = [end for row in rows for end in row.ends]
    low, high = min([*ends, task.optimum or math.inf]), max(ends)
    if task.opponents:
        low, high = max(low, 0.0), min(high, 1.0)
    if low == high:
        low, high = low - 1, high + 1
    scale = (WIDTH - LEFT - RIGHT) / (high - low)

    def across(score: float) -> str:
        return f"{LEFT + (min(max(score, low), high) - low) * scale:.1f}"

    optimum = "" if task.optimum is None else f", the least possible {task.optimum:g}"
    counted = "mean points, the more the better" if task.opponents else "mean turns"
    yield _text(10, top + 18, f"{task.name}: {counted}{optimum}", _INK, 'font-weight="bold"')
    first, last = top + TITLE - 8, top + TITLE + LINE * len(rows) - 6
    for x, end in ((LEFT, low), (WIDTH - RIGHT, high)):
        yield _text(x, top + TITLE - 13, f"{end:.3g}", _FAINT, 'text-anchor="middle"')
        yield f'<line x1="{x}" x2="{x}" y1="{first}" y2="{last}" stroke="{_GRID}"/>'
    if task.optimum is not None:
        at = across(task.optimum)
        yield f'<line x1="{at}" x2="{at}" y1="{first}" y2="{last}" stroke="{_BEST}"/>'
    for number, row in enumerate(rows):
        y = top + TITLE + LINE * number + 4
        trained = f", {row.shots:,} shots" if row.shots else ""
        name = _shortened(row.agent, LONGEST - len(trained))
        yield _text(LEFT - 14, y + 4, f"{name}{trained}", _INK, _RIGHT)
        begin, end = row.ends
        if begin < end:
            ends_at = f'x1="{across(begin)}" x2="{across(end)}"'
            yield f'<line {ends_at} y1="{y}" y2="{y}" stroke="{_MARK}" stroke-width="2.5"/>'
        fill = _MARK if row.checked == "yes" else "#ffffff"
        mark = f'cx="{across(row.mean)}" cy="{y}" r="4.5" fill="{fill}" stroke="{_MARK}"'
        yield f'<circle {mark} stroke-width="1.5"/>'
        yield _text(WIDTH - 10, y + 4, f"{row.mean:.2f}", _FAINT, _RIGHT)


def _shortened(name: str, most: int) -> str:
    return name if len(name) <= most else f"{name[: most - 1]}…"


def _text(x: float, y: float, text: str, fill: str, more: str = "") -> str:
    return f'<text x="{x}" y="{y}" fill="{fill}" {more}>{escape(text)}</text>'
