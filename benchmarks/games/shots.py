"""Plays games of bundled bots by every preset, and prints what they shot.

``python -P shots.py GAMES BOT...`` plays a game for each line on stdin, until none is left, and
answers with its shots and their processor time in seconds, as JSON. `python -m benchmarks
same-shots` runs it with the interpreter of another installation, so it imports little.
"""

import sys
import time
from collections.abc import Iterable, Iterator
from itertools import zip_longest

import msgspec

from arena.player import UNHURRIED, InProcessPlayer
from arena.records import Fixture, ShootStep
from arena.referee import play_game
from arena.rules import PRESETS, Rules, view
from salvo.bundled import bot_class


class Shots(msgspec.Struct, frozen=True, array_like=True):
    """The shots of one game that a bot played alone or against itself."""

    bot: str
    rules: str
    solo: bool
    seed: int
    salvos: str  # the cells of each salvo, of both seats in the order of play: "45,12,7 33,2"

    @property
    def game(self) -> str:
        """Return what was played, in words."""
        seats = "alone" if self.solo else "against itself"
        return f"{self.bot} by {self.rules}, {seats}, seed {self.seed}"

    def first_difference(self, other: "Shots") -> str:
        """Return where the shots of another playing of this game differ first; "" if nowhere."""
        # A game that is the beginning of the other lacks the other's next salvo.
        both = zip_longest(self.salvos.split(), other.salvos.split(), fillvalue="none")
        for place, (ours, theirs) in enumerate(both, start=1):
            if ours != theirs:
                return f"{self.game}: salvo {place} is {ours}, in the other {theirs}"
        return ""


def shots_of(bots: Iterable[str], games: int) -> Iterator[Shots]:
    """Yield the shots of games of each bot by each preset that it plays, alone and for two."""
    for bot in bots:
        for rules, _ in PRESETS.values():
            if bot_class(bot)().plays(view(rules)):
                for solo in (True, False):
                    yield from played(bot, rules, range(1, games + 1), solo=solo)


def played(bot: str, rules: Rules, seeds: Iterable[int], *, solo: bool) -> Iterator[Shots]:
    """Yield the shots of games in a row, of players that may learn from one for the next.

    Raises:
        RuntimeError: If a bot forfeits.
    """
    names = (bot,) if solo else (bot, "itself")
    players = {name: InProcessPlayer(bot_class(bot), view(rules)) for name in names}
    for seed in seeds:
        fixture = Fixture(str(seed), bot, None if solo else "itself", seed, (seed, seed + 1))
        game = play_game(fixture, rules, UNHURRIED, players)
        fired = [step.cells for step in game.steps if isinstance(step, ShootStep)]
        salvos = " ".join(",".join(map(str, cells)) for cells in fired)
        shots = Shots(bot, rules.name, solo, seed, salvos)
        if game.forfeit is not None:
            raise RuntimeError(f"{shots.game}: {game.reason}")
        yield shots


def main(games: int, bots: Iterable[str]) -> None:
    """Answer each line on stdin with the next game."""
    found = shots_of(bots, games)
    for _ in sys.stdin:
        before_s = time.process_time()
        shots = next(found, None)
        if shots is None:
            return
        spent_s = time.process_time() - before_s
        sys.stdout.write(msgspec.json.encode((shots, spent_s)).decode() + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
