"""Plays legally against a bot that is checked, and can leave in the middle of a game."""

from random import Random

from arena.player import Fault, News, Reply
from arena.protocol import End, Game
from arena.records import Termination
from arena.rules import (
    FIRST_FEATURES,
    Answer,
    AnswerRequest,
    Move,
    MoveRequest,
    Place,
    PlaceRequest,
    Request,
    Rules,
    Shoot,
    ShootRequest,
    draw,
    name_layout,
    refuse_unknown,
)


class Sparring:
    """A player that places and shoots at random.

    It leaves after as many answers as ``answers`` says; None to play to the end.
    """

    def __init__(self, rules: Rules, answers: int | None = None) -> None:
        refuse_unknown(rules, FIRST_FEATURES, "the opponent that bots are checked against")
        self._rules = rules
        self._answers = answers
        self._random = Random()
        self._untried: list[int] = []

    def start(self) -> None:
        """Be ready; see ``arena.player.Player``."""

    def begin(self, game: Game) -> None:
        """Begin a game; see ``arena.player.Player``."""
        self._random = Random(game.seed)
        self._untried = []

    def ask(self, request: Request, news: News) -> Reply:
        """Answer a request; see ``arena.player.Player``.

        Raises:
            Fault: When it leaves.
        """
        del news
        if self._answers is not None:
            self._answers -= 1
            if self._answers < 0:
                raise Fault(Termination.EXITED, "the opponent has left, as it may at any moment")
        match request:
            case PlaceRequest():
                layout = draw(self._rules, self._random)
                return Reply(Place(name_layout(self._rules, layout)), 0.0)
            case ShootRequest(_, shots):
                return Reply(Shoot(self._draw(shots)), 0.0)
            case MoveRequest():
                return Reply(Move(None), 0.0)
            case AnswerRequest(hits=hits):
                return Reply(Answer(hits), 0.0)

    def _draw(self, shots: int) -> list[int]:
        if len(self._untried) < shots:  # at the beginning; later only if cells may be shot again
            self._untried = self._random.sample(range(self._rules.cells), self._rules.cells)
        cells, self._untried = self._untried[:shots], self._untried[shots:]
        return cells

    def end(self, end: End) -> None:
        """End the game; see ``arena.player.Player``."""

    def stop(self, fault: Fault | None = None) -> str:
        """Stop; see ``arena.player.Player``."""
        del fault
        return ""
