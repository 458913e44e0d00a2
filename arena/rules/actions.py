"""What a seat is asked, what it does, and what is told of it."""

from collections.abc import Mapping, Sequence
from typing import Literal

from msgspec import Struct

__all__ = [
    "Action",
    "Answer",
    "AnswerRequest",
    "CellsReport",
    "CountReport",
    "Move",
    "MoveRequest",
    "Place",
    "PlaceRequest",
    "Report",
    "Request",
    "Result",
    "Salvo",
    "Seat",
    "Shoot",
    "ShootRequest",
    "other",
]

Seat = Literal["first", "second"]
Result = Literal["first", "second", "draw"]


def other(seat: Seat) -> Seat:
    """Return the seat across the table."""
    return "second" if seat == "first" else "first"


class CellsReport(Struct, frozen=True, tag="cells"):
    """Each cell of a salvo told hit or miss.

    Attributes:
        hits: The cells of the salvo that hit, in the order in which they were shot.
        sunk: The names of the ships that the salvo sank, in the order of the fleet; only their
            number where sinkings are unnamed, None where they are silent.
    """

    hits: tuple[int, ...]
    sunk: tuple[str, ...] | int | None


class CountReport(Struct, frozen=True, tag="count"):
    """Only the number of hits of a salvo told, not which cells they were.

    Attributes:
        hits: How many cells of the salvo hit.
        ships: How many of them hit each ship, by its name; None where that is not told.
        sunk: As in ``CellsReport``.
    """

    hits: int
    ships: dict[str, int] | None
    sunk: tuple[str, ...] | int | None


Report = CellsReport | CountReport


class Salvo(Struct, frozen=True):
    """A salvo that was fired.

    Attributes:
        by: Who fired it.
        cells: At which cells, in the order given.
        report: What was told of it.
        hits: How many of the cells hit in truth.
    """

    by: Seat
    cells: tuple[int, ...]
    report: Report
    hits: int


class PlaceRequest(Struct, frozen=True, tag="place"):
    """It is for ``seat`` to place its fleet."""

    seat: Seat


class ShootRequest(Struct, frozen=True, tag="shoot"):
    """It is for ``seat`` to choose ``shots`` cells, all before any result is told."""

    seat: Seat
    shots: int


class MoveRequest(Struct, frozen=True, tag="move"):
    """It is for ``seat`` to move one undamaged ship, or none."""

    seat: Seat


class AnswerRequest(Struct, frozen=True, tag="answer"):
    """It is for ``seat`` to say which cells of a salvo hit; it may lie ``lies`` times more.

    Attributes:
        seat: The seat that was shot at.
        cells: The cells of the salvo.
        hits: Those that hit in truth.
        sunk: The ships that the salvo sank, by name; no lie may be about them.
        lies: How many lies are left in the game.
    """

    seat: Seat
    cells: tuple[int, ...]
    hits: tuple[int, ...]
    sunk: tuple[str, ...]
    lies: int


Request = PlaceRequest | ShootRequest | MoveRequest | AnswerRequest


class Place(Struct, frozen=True):
    """The answer to a request to place: the cells of each ship, by its name."""

    layout: Mapping[str, Sequence[int]]


class Shoot(Struct, frozen=True):
    """The answer to a request to shoot: the cells of the salvo, in any order."""

    cells: Sequence[int]


class Move(Struct, frozen=True):
    """The answer to a request to move: a ship and the cells it lies on now, or no ship."""

    ship: str | None
    cells: Sequence[int] = ()


class Answer(Struct, frozen=True):
    """The answer to a request to answer: the cells of the salvo that are told as hits."""

    hits: Sequence[int]


Action = Place | Shoot | Move | Answer
