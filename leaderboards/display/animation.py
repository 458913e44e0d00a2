"""Draws a game as an animated SVG: one text file for a slide or a page, which plays by itself.

It needs no script (the animation is SMIL, which browsers also play in an ``img`` element), scales
to any size, and is some tens of kilobytes. Whatever does not animate shows the end of the game.
"""

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from markupsafe import escape

from leaderboards.display.replay_frames import SIGNS, Mark, Panel, Replay
from leaderboards.display.templating import printable

_FILLS: dict[Mark, str] = {
    "water": "#a6bdd4",
    "ship": "#5e6e85",
    "miss": "#7f9fc0",
    "hit": "#fb923c",
    "sunk": "#e5533f",
}
_CHANCES = ((227, 232, 238), (243, 188, 84), (190, 24, 60))
"""The colours of no chance, of a quarter, and of certainty."""

_UNKNOWN = "#c5ccd6"
_INK, _SOFT, _CARD = "#1b2430", "#566072", "#ffffff"
_FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif"

_CELL, _EDGE, _GAP, _PAD = 26, 22, 26, 18
_LINE, _HEAD = 21, 46
_CHARACTER = 7.6  # pixels of a letter of the caption, on average
_SALVO_S, _LONGEST_S, _END_S = 1.0, 45.0, 4.0
"""Seconds a salvo, for all of them at most, and for the end."""


def animated_svg(replay: Replay) -> str:
    """Return a game that has a frame as an SVG document that plays it again and again."""
    return _Animation(replay).svg()


def still_svg(replay: Replay) -> str:
    """Return the end of a game that has a frame as an SVG document that does not move."""
    return _Animation(replace(replay, frames=replay.frames[-1:])).svg()


class _Animation:
    def __init__(self, replay: Replay) -> None:
        self._replay = replay
        each_s = min(_SALVO_S, _LONGEST_S / len(replay.frames))
        starts = [number * each_s for number in range(len(replay.frames))]
        self._total_s = starts[-1] + max(each_s, _END_S)
        self._times = [start / self._total_s for start in starts]
        panels = len(replay.frames[0].panels)
        self._panel_px = _EDGE + _CELL * len(replay.columns)
        self._width = 2 * _PAD + panels * self._panel_px + (panels - 1) * _GAP
        wide = max(20, int((self._width - 2 * _PAD) / _CHARACTER))
        self._captions = [
            [
                part
                for line in frame.lines
                for part in textwrap.wrap(printable(line), wide, break_on_hyphens=False)
            ]
            for frame in replay.frames
        ]
        self._top = _PAD + _HEAD + _LINE * max(map(len, self._captions))

    def svg(self) -> str:
        """Return the document."""
        replay = self._replay
        height = self._top + _HEAD + _EDGE + _CELL * len(replay.rows) + _PAD
        title = escape(printable(replay.heading))
        return "\n".join(
            [
                (
                    f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self._width} {height}" '
                    f'width="{self._width}" height="{height}" font-family="{_FONT}" font-size="14" '
                    f'role="img"><title>{title}</title>'
                ),
                f'<rect width="100%" height="100%" rx="12" fill="{_CARD}"/>',
                (
                    f'<text x="{_PAD}" y="{_PAD + 18}" font-size="17" font-weight="700" '
                    f'fill="{_INK}">{title}</text>'
                ),
                *self._lines(),
                *(
                    part
                    for number in range(len(replay.frames[0].panels))
                    for part in self._board(number)
                ),
                "</svg>\n",
            ]
        )

    def _lines(self) -> Iterator[str]:
        last = len(self._captions) - 1
        for number, lines in enumerate(self._captions):
            shown = [place == number for place in range(last + 1)]
            spans = "".join(
                f'<tspan x="{_PAD}" y="{_PAD + _HEAD + _LINE * row}">{escape(line)}</tspan>'
                for row, line in enumerate(lines)
            )
            yield f'<text fill="{_INK}"{self._seen(shown)}{spans}</text>'

    def _board(self, number: int) -> Iterator[str]:
        replay = self._replay
        panels = [frame.panels[number] for frame in replay.frames]
        left = _PAD + number * (self._panel_px + _GAP)
        yield f'<g transform="translate({left} {self._top})">'
        for head, weight, fill, down in (
            ([panel.name for panel in panels], 700, _INK, 14),
            ([panel.kind for panel in panels], 400, _SOFT, 32),
        ):
            for text in dict.fromkeys(head):
                yield (
                    f'<text y="{down}" font-weight="{weight}" fill="{fill}" font-size="13"'
                    f"{self._seen([one == text for one in head])}{escape(printable(text))}</text>"
                )
        yield f'<g transform="translate({_EDGE} {_HEAD + _EDGE})" text-anchor="middle">'
        yield from self._names()
        for cell in range(len(panels[0].marks)):
            yield from self._cell(cell, panels)
        yield "</g></g>"

    def _names(self) -> Iterator[str]:
        yield f'<g font-size="11" fill="{_SOFT}">'
        for place, name in enumerate(self._replay.columns):
            yield f'<text x="{(place + 0.5) * _CELL:g}" y="-6">{escape(name)}</text>'
        for place, name in enumerate(self._replay.rows):
            yield f'<text x="-11" y="{(place + 0.5) * _CELL + 4:g}">{escape(name)}</text>'
        yield "</g>"

    def _cell(self, cell: int, panels: Sequence[Panel]) -> Iterator[str]:
        row, column = divmod(cell, len(self._replay.columns))
        x, y = column * _CELL, row * _CELL
        fills = [fill_of(panel, cell) for panel in panels]
        yield (
            f'<rect x="{x + 0.5}" y="{y + 0.5}" width="{_CELL - 1}" height="{_CELL - 1}" '
            f'fill="{fills[-1]}"{self._animated("fill", fills, "rect")}'
        )
        signs = [SIGNS[panel.marks[cell]] for panel in panels]
        # What was hit is certain, and its colour in a panel of chances is dark.
        ink = _CARD if panels[0].chances is not None else _INK
        for sign in sorted(set(signs) - {""}):
            yield (
                f'<text x="{x + _CELL / 2:g}" y="{y + _CELL / 2 + 5:g}" font-weight="700" '
                f'fill="{ink if sign == "X" else _INK}"'
                f"{self._seen([one == sign for one in signs])}{sign}</text>"
            )
        fired = [cell in panel.fired for panel in panels]
        if any(fired):
            yield (
                f'<circle cx="{x + _CELL / 2:g}" cy="{y + _CELL / 2:g}" r="{_CELL * 0.42:g}" '
                f'fill="none" stroke="{_INK}" stroke-width="1.6"{self._seen(fired)}</circle>'
            )

    def _seen(self, shown: Sequence[bool]) -> str:
        values = ["1" if one else "0" for one in shown]
        if len(set(values)) == 1:
            return ">" if values[-1] == "1" else ' opacity="0">'
        return f' opacity="{values[-1]}">{self._animate("opacity", values)}'

    def _animated(self, attribute: str, values: Sequence[str], tag: str) -> str:
        if len(set(values)) == 1:
            return "/>"
        return f">{self._animate(attribute, values)}</{tag}>"

    def _animate(self, attribute: str, values: Sequence[str]) -> str:
        runs = [
            (value, self._times[next(iter(group))[0]])
            for value, group in groupby(enumerate(values), key=lambda item: item[1])
        ]
        return (
            f'<animate attributeName="{attribute}" values="{";".join(value for value, _ in runs)}" '
            f'keyTimes="{";".join(f"{time:.4g}" for _, time in runs)}" dur="{self._total_s:g}s" '
            'calcMode="discrete" repeatCount="indefinite"/>'
        )


def fill_of(panel: Panel, cell: int) -> str:
    """Return the colour of a cell."""
    if panel.chances is None:
        return _FILLS[panel.marks[cell]]
    chance = panel.chances[cell]
    if not 0 <= chance <= 1:
        return _UNKNOWN
    # The chances of an opening are small: the root keeps them apart.
    along = 2 * chance**0.5
    start = min(int(along), 1)
    mixed = [
        round(low + (high - low) * (along - start))
        for low, high in zip(*_CHANCES[start : start + 2], strict=True)
    ]
    return "#" + "".join(f"{part:02x}" for part in mixed)
