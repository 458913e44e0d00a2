"""Holds the parts of an HTML page of leaderboards: sections, tables, figures and profiles."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from leaderboards.display.heat_maps import HeatMap
from leaderboards.display.matrix import Matrix

if TYPE_CHECKING:
    import plotly.graph_objects as go


@dataclass(frozen=True, slots=True)
class Table:
    """A table: a mapping from head to cell for each row, and what stands above it.

    Cells under the heads "bot" and "opponent" are names of bots, which become links.
    """

    caption: str
    rows: Sequence[Mapping[str, str]]
    note: str = ""  # what its heads mean, below it


@dataclass(frozen=True, slots=True)
class Drawing:
    """Holds a figure with the words above it."""

    caption: str
    # The figure, of lines and markers alone: the script that a page has draws no others.
    figure: "go.Figure"
    note: str = ""  # how to read it
    wide: bool = False  # whether it has a line of the page to itself
    # Its numbers as a table, where no other table of the section has them.
    numbers: Table | None = None


@dataclass(frozen=True, slots=True)
class Section:
    """Holds a part of the page: a heading, tables, figures and notes; any may be missing.

    The heading up to a colon is its name among the links at the top of the page.
    """

    name: str  # short and of letters alone: the section's address on the page
    heading: str
    verdict: Sequence[str] = ()  # what the tables come to, above them
    notes: Sequence[str] = ()
    drawings: Sequence[Drawing] = ()
    # The first table, a mapping from head to cell for each row.
    rows: Sequence[Mapping[str, str]] = ()
    tables: Sequence[Table] = ()
    matrix: Matrix | None = None


@dataclass(frozen=True, slots=True)
class Profile:
    """Everything that a page says of one bot."""

    bot: str
    brief: str = ""  # beside its name, before its card is opened
    sentences: Sequence[str] = ()
    tables: Sequence[Table] = ()
    heat_maps: Sequence[HeatMap] = ()
