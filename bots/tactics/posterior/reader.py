"""What a bot believes of its opponent's ships, read from the reports that it got."""

import numpy as np

from arena import Bot
from bots.tactics.posterior.belief import Belief
from bots.tactics.posterior.estimate import Effort
from bots.tactics.posterior.evidence import observation_of


class BeliefReader:
    """Feeds a belief what a bot has seen; make one in every ``game_begins``.

    Attributes:
        belief: What is known, as of the last ``read``.
    """

    def __init__(self, bot: Bot, effort: Effort | None = None) -> None:
        """Start a belief whose samples are drawn with a seed from the bot's generator.

        Args:
            bot: A bot in a game whose rules ``can_follow`` accepts.
            effort: How much work one posterior may take.
        """
        self._bot = bot
        self._read = 0
        self._lengths = {ship.name: ship.length for ship in bot.rules.opponent_fleet or ()}
        random = np.random.default_rng(bot.random.getrandbits(64))
        self.belief = Belief(bot.rules, random, effort)

    def read(self) -> Belief:
        """Take in the reports since the last call, and return the belief.

        Raises:
            ImpossibleEvidenceError: If no layout agrees with the reports, or none was found.
            TypeError: If a report does not say which cells hit.
        """
        new = self._bot.reports[self._read :]
        self._read += len(new)
        for cells, report in new:
            self.belief.observe(observation_of(cells, report, self._lengths))
        return self.belief
