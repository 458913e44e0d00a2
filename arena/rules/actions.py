"""Defines requests to a seat, its actions, and reports of what they did.

They are made and dropped at every turn; ``gc=False`` is for speed, since they hold plain values and
cannot be part of a reference cycle.
"""

from collections.abc import Mapping, Sequence
from typing import Literal

from msgspec import Struct

Seat = Literal["first", "second"]
Result = Literal["first", "second", "draw"]


def other(seat: Seat) -> Seat:
    """Return the seat across the table."""
    return "second" if seat == "first" else "first"


class CellsReport(Struct, frozen=True, gc=False, tag="cells", omit_defaults=True):
    """A report that says of each cell of a salvo whether it hit; see PROTOCOL.md."""

    hits: tuple[int, ...]
    sunk: tuple[str, ...] | int | None
    ships: tuple[str, ...] | None = None
    sunk_cells: dict[str, tuple[int, ...]] | None = None


class CountReport(Struct, frozen=True, gc=False, tag="count", omit_defaults=True):
    """A report that gives only the number of hits of a salvo, not which cells they were."""

    hits: int
    ships: dict[str, int] | None
    sunk: tuple[str, ...] | int | None
    sunk_cells: dict[str, tuple[int, ...]] | None = None


Report = CellsReport | CountReport


class Salvo(Struct, frozen=True, gc=False):
    """A salvo that was fired.

    ``hits`` is how many of its cells really hit, whatever was reported to the seat.
    """

    by: Seat
    cells: tuple[int, ...]
    report: Report
    hits: int


class PlaceRequest(Struct, frozen=True, gc=False, tag="place"):
    """``seat`` must place its fleet."""

    seat: Seat


class ShootRequest(Struct, frozen=True, gc=False, tag="shoot"):
    """``seat`` must choose ``shots`` cells, all before any result is reported."""

    seat: Seat
    shots: int


class MoveRequest(Struct, frozen=True, gc=False, tag="move"):
    """``seat`` may move one undamaged ship."""

    seat: Seat


class AnswerRequest(Struct, frozen=True, gc=False, tag="answer"):
    """``seat`` must say which cells of a salvo hit, and may lie.

    Lies about the cells of the ships in ``sunk``, which the salvo sank, are illegal; ``lies`` is
    how many the seat has left in the game.
    """

    seat: Seat
    cells: tuple[int, ...]
    hits: tuple[int, ...]
    sunk: tuple[str, ...]
    lies: int


Request = PlaceRequest | ShootRequest | MoveRequest | AnswerRequest


class Place(Struct, frozen=True, gc=False):
    """The answer to ``PlaceRequest``: the cells of each ship, by its name."""

    layout: Mapping[str, Sequence[int]]


class Shoot(Struct, frozen=True, gc=False):
    """The answer to ``ShootRequest``: the cells of the salvo, in any order."""

    cells: Sequence[int]


class Move(Struct, frozen=True, gc=False):
    """The answer to ``MoveRequest``: a ship and the cells it lies on now, or no ship."""

    ship: str | None
    cells: Sequence[int] = ()


class Answer(Struct, frozen=True, gc=False):
    """The answer to ``AnswerRequest``: the cells of the salvo that the seat says are hits."""

    hits: Sequence[int]


Action = Place | Shoot | Move | Answer
