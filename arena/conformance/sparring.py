"""Plays legally against a bot that is checked, and can leave in the middle of a game."""

from collections.abc import Sequence

from arena.bot import Bot
from arena.player import Fault, InProcessPlayer, News, Reply
from arena.records import Termination
from arena.rules import FIRST_FEATURES, Request, Rules, refuse_unknown, view


class _Random(Bot):
    """Places and shoots at random, tells the truth and moves no ship."""

    def game_begins(self) -> None:
        self.cells: list[int] = []

    def choose_shots(self, count: int) -> Sequence[int]:
        if len(self.cells) < count:  # at the beginning; later only if cells may be shot again
            self.cells = self.random.sample(range(self.rules.cells), self.rules.cells)
        chosen, self.cells = self.cells[:count], self.cells[count:]
        return chosen


class Sparring(InProcessPlayer):
    """A player that places and shoots at random.

    It leaves after as many answers as ``answers`` says; None to play to the end.
    """

    def __init__(self, rules: Rules, answers: int | None = None) -> None:
        refuse_unknown(
            rules,
            FIRST_FEATURES,
            "the opponent that bots are checked against does not know this rule",
        )
        super().__init__(_Random, view(rules))
        self._answers = answers

    def ask(self, request: Request, news: News) -> Reply:
        """Answer a request; see ``arena.player.Player``.

        Raises:
            Fault: When it leaves.
        """
        if self._answers is not None:
            self._answers -= 1
            if self._answers < 0:
                raise Fault(Termination.EXITED, "the opponent has left, as it may at any moment")
        return super().ask(request, news)
