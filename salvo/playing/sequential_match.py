"""Plays a match until a sequential test decides it, and says what the test found."""

from functools import partial
from typing import TYPE_CHECKING, Any

from arena.schedule import Plan, Until, sizes_of
from arena.store import Look, Store, Tournament
from leaderboards.sprt import Hypotheses
from salvo.reacting import EndOfTest
from salvo.reports.how_rated import HowRated
from salvo.reports.words.confidence import plain_test

if TYPE_CHECKING:
    from salvo.reports.standings.standing import Standing


class SequentialMatch:
    """A match that ends when a sequential test decides between two leads of the first bot.

    Args:
        names: The two bots, the one whose lead is tested first.
        leads: The two leads in Elo, the smaller first.
        plan: The games that are played at most.
    """

    def __init__(self, names: tuple[str, str], leads: tuple[float, float], plan: Plan) -> None:
        self._names, self._hypotheses, self._plan = names, Hypotheses(*leads), plan
        self._rule = "{:g} against {:g} Elo".format(*leads)

    def schedule(self) -> Until:
        """Return the schedule, with a test of its own that ends it."""
        return Until(self._plan, self._test())

    def look(self, store: Store, tournament: Tournament) -> Look:
        """Return at which size the record is rated; see ``arena.store.Look``."""
        return Look(sum(self._sizes(store, tournament).values()), self._rule)

    def standing(self, store: Store, tournament: Tournament, how: HowRated) -> "Standing":
        """Return where both stand by the games that count, and what the test found."""
        from salvo.reports.standings.standing import (  # noqa: PLC0415 - not before workers are forked
            Standing,
        )

        sizes, look = self._sizes(store, tournament), self.look(store, tournament)
        standing = Standing(store, tournament, self._plan, how=how, sizes=sizes, look=look)
        standing.more["sprt"], standing.elo_verdict = self._judge(store, tournament, look.pairs)
        return standing

    def _test(self) -> EndOfTest:
        return EndOfTest(self._names[0], self._hypotheses)

    def _sizes(self, store: Store, tournament: Tournament) -> dict[tuple[str, ...], int]:
        return sizes_of(self.schedule(), partial(store.outcomes, tournament.name))

    def _judge(
        self, store: Store, tournament: Tournament, pairs: int
    ) -> tuple[dict[str, Any], list[str]]:
        test = self._test()
        for block in self._plan.blocks():
            outcomes = store.outcomes(tournament.name, block.key)[: len(block.fixtures)]
            if len(outcomes) < len(block.fixtures) or test(outcomes):
                break
        state = test.state
        told = [state.sentence(*self._names, self._hypotheses)]
        if state.decided and pairs > state.pairs:
            told.append(
                f"The table also counts the {pairs - state.pairs} pairs that were being played "
                "when the test decided."
            )
        elif not state.decided:
            told.append("Raise --games to play on.")
        return plain_test(state, *self._names, self._hypotheses), told
