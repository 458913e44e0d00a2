"""Replays a recorded game through the rules, state by state."""

from collections.abc import Iterator

from arena.errors import IllegalActionError, RecordError
from arena.records import AnswerStep, Game, MoveStep, PlaceStep, ShootStep, Step
from arena.rules import (
    Action,
    Answer,
    Move,
    Place,
    Rules,
    Shoot,
    State,
    apply,
    begin,
    begin_solo,
    check_layout,
)


def replay(game: Game, rules: Rules) -> Iterator[State]:
    """Yield the state at the beginning of a game and after each of its steps.

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


def _action(game: Game, step: Step) -> Action:
    match step:
        case PlaceStep(seat=seat):
            return Place(game.layouts[seat])
        case ShootStep(cells=cells):
            return Shoot(cells)
        case MoveStep(ship=ship, cells=cells):
            return Move(ship, cells)
        case AnswerStep(hits=hits):
            return Answer(hits)
