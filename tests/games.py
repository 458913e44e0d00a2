"""Stands in for games that are over, where it does not matter how they went."""

from typing import Any

from arena.records import Fixture, Game, Tally, Termination


def ended(fixture: Fixture, result: str = "first", **more: Any) -> Game:  # noqa: ANN401 - fields of a game
    """Return a game with this result, without a single step unless some are given."""
    usual: dict[str, Any] = {
        "termination": Termination.SUNK,
        "reason": "",
        "forfeit": None,
        "layouts": {},
        "steps": (),
        "tallies": (Tally(), Tally()),
    }
    return Game(fixture=fixture, result=result, **(usual | more))
