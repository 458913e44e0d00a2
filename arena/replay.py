"""Replays a recorded game through the rules, state by state."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from arena.errors import IllegalActionError, RecordError
from arena.records import AnswerStep, Fixture, MoveStep, PlaceStep, ShootStep, Step
from arena.rules import (
    Action,
    Answer,
    Move,
    Place,
    Rules,
    Seat,
    Shoot,
    State,
    apply,
    begin,
    begin_solo,
    check_layout,
)


class Played(Protocol):
    """A game of which some steps were played; a ``Game`` is one."""

    @property
    def fixture(self) -> Fixture:
        """The game that was to be played."""

    @property
    def layouts(self) -> Mapping[Seat, Mapping[str, Sequence[int]]]:
        """The cells of each ship by name, for each seat that placed its fleet."""

    @property
    def steps(self) -> Sequence[Step]:
        """The answers so far, in order."""


def replay(game: Played, rules: Rules) -> Iterator[State]:
    """Yield the state at the beginning of a game and after each of its steps so far.

    Raises:
        RecordError: If the record does not follow the rules.
    """
    try:
        if game.fixture.second is None:
            state = begin_solo(rules, check_layout(rules, game.layouts["second"]))
        else:
            state = begin(rules)
        yield state
        for step in game.steps:
            state = apply(state, _action(game, step))
            yield state
    except (IllegalActionError, KeyError) as error:
        raise RecordError(
            f"game {game.fixture.id}: its record does not follow the rules ({error}); "
            "restore the file from a copy"
        ) from error


def _action(game: Played, step: Step) -> Action:
    match step:
        case PlaceStep(seat=seat):
            return Place(game.layouts[seat])
        case ShootStep(cells=cells):
            return Shoot(cells)
        case MoveStep(ship=ship, cells=cells):
            return Move(ship, cells)
        case AnswerStep(hits=hits):
            return Answer(hits)
