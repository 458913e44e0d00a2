"""Describes a game salvo by salvo, as plain data for a page or an animation to show.

Nothing here knows how a game was recorded, so that a game from any record can be shown.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from leaderboards.display.templating import printable

Mark = Literal["water", "ship", "miss", "hit", "sunk"]

SIGNS: Mapping[Mark, str] = {"water": "", "ship": "", "miss": "o", "hit": "X", "sunk": "X"}
"""The text on a cell, beside its colour."""

_LETTERS: Mapping[Mark, str] = {"water": "w", "ship": "s", "miss": "m", "hit": "h", "sunk": "x"}
_MILLE = 1000


@dataclass(frozen=True, slots=True)
class Panel:
    """One part of a frame: the cells of a board."""

    name: str
    kind: str
    marks: Sequence[Mark]  # what is on each cell, row by row
    # The probability of each cell, which then is its colour; None for that of its mark, NaN where
    # it is not known.
    chances: Sequence[float] | None = None
    fired: Sequence[int] = ()
    hidden: bool = False  # whether ships lie there that are not shown


@dataclass(frozen=True, slots=True)
class Frame:
    """One salvo of a game: the lines that describe it, and the panels, alike in every frame."""

    lines: Sequence[str]
    panels: Sequence[Panel]
    cost: float | None = None  # of the salvo beside the best one, in turns, where it is known


@dataclass(frozen=True, slots=True)
class Replay:
    """A game to watch."""

    key: str  # its address on the page: short, of letters and digits alone
    label: str  # the few words by which it is chosen among others
    heading: str
    bots: Sequence[str]
    notes: Sequence[str]
    rows: Sequence[str]
    columns: Sequence[str]
    frames: Sequence[Frame]
    legend: Sequence[str] = ()  # how to read the panels
    why: str = ""  # a sentence on why it is worth watching
    start: int = 1  # the salvo at which it is opened


def plain_replay(replay: Replay) -> dict[str, Any]:
    """Return a game as data that JSON can hold, small enough that a page carries several.

    A board is a text of one letter a cell, a probability a whole number of thousandths, or None
    where it is not known. All text is safe to show, but not escaped.
    """
    return {
        "label": printable(replay.label),
        "heading": printable(replay.heading),
        "start": replay.start,
        "notes": [printable(note) for note in (*_chosen_for(replay), *replay.notes)],
        "legend": [printable(line) for line in replay.legend],
        "rows": list(replay.rows),
        "columns": list(replay.columns),
        "frames": [plain_frame(frame) for frame in replay.frames],
    }


def _chosen_for(replay: Replay) -> list[str]:
    return [f"{replay.label}. {replay.why}"] if replay.why else []


def plain_frame(frame: Frame) -> dict[str, Any]:
    """Return a salvo as data that JSON can hold; see ``plain_replay``."""
    return {
        "lines": [printable(line) for line in frame.lines],
        "panels": [_panel(panel) for panel in frame.panels],
        **({} if frame.cost is None else {"cost": round(frame.cost, 3)}),
    }


def _panel(panel: Panel) -> dict[str, Any]:
    plain: dict[str, Any] = {
        "name": printable(panel.name),
        "kind": printable(panel.kind),
        "marks": "".join(_LETTERS[mark] for mark in panel.marks),
        "fired": list(panel.fired),
    }
    if panel.hidden:
        plain["hidden"] = True
    if panel.chances is not None:
        plain["chances"] = [
            None if math.isnan(chance) else round(_MILLE * chance) for chance in panel.chances
        ]
    return plain
