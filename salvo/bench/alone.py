"""Bots alone, played for a benchmark and kept in no record: at drawn layouts, or at every one."""

import itertools
from collections import Counter, defaultdict
from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass, field
from typing import BinaryIO, cast

from arena.bot import Bot, serve
from arena.protocol import FromBot, Game, Limits, ShootSalvo, Shots, ToBot, decode_from_bot, encode
from arena.records import Settings, Termination
from arena.rules import (
    Layout,
    Report,
    Rules,
    Shoot,
    ShootRequest,
    apply,
    begin_solo,
    placements,
    view,
)
from arena.seeds import DEFAULT_SEED
from salvo.bench.contests import games_alone
from salvo.reports.progress import Progress, no_progress

__all__ = ["Sample", "play_alone", "turns_at", "turns_over_every_layout"]


@dataclass
class Sample:
    """What one bot did alone, game by game.

    Attributes:
        turns: Turns of each game.
        shots: Shots of each game.
        hits: Shots that hit, of all games.
        capped: How many games were ended by the cap on shots.
    """

    turns: list[int] = field(default_factory=list)
    shots: list[int] = field(default_factory=list)
    hits: int = 0
    capped: int = 0


def play_alone(
    bots: Sequence[str],
    rules: Rules,
    layouts: int,
    workers: int,
    *,
    progress: Progress = no_progress,
) -> dict[str, Sample]:
    """Return what each bot did alone; see ``games_alone``."""
    samples: defaultdict[str, Sample] = defaultdict(Sample)
    for game in games_alone(bots, rules, layouts, DEFAULT_SEED, workers, progress=progress):
        sample = samples[game.fixture.first]
        sample.turns.append(game.tallies[0].turns)
        sample.shots.append(game.tallies[0].shots)
        sample.hits += game.tallies[0].hits
        sample.capped += game.termination is Termination.CAPPED
    return dict(samples)


def turns_over_every_layout(bot: Bot, rules: Rules) -> Counter[int]:
    """Return how many layouts a bot takes so many turns for, in this process, layout by layout."""
    return Counter(turns_at(bot, rules, _layouts(rules)))


def turns_at(bot: Bot, rules: Rules, layouts: Iterable[Layout]) -> list[int]:
    """Return how many turns a bot takes for each of some layouts, in this process."""
    turns = []
    for layout in layouts:
        table = _Table(rules, layout)
        serve(bot, cast("BinaryIO", table), table.hear)
        turns.append(table.turns)
    return turns


def _layouts(rules: Rules) -> list[Layout]:
    """Return every layout of ships that may touch."""
    assert rules.touching == "allowed"
    places = [placements(rules.rows, rules.columns, ship.length) for ship in rules.fleet]
    return [
        layout
        for layout in itertools.product(*places)
        if sum(layout).bit_count() == sum(mask.bit_count() for mask in layout)
    ]


class _Table:
    """Stands in for a bot's standard input: one solo game at a given layout."""

    def __init__(self, rules: Rules, layout: Layout) -> None:
        self._rules = rules
        self._layout = layout
        self._script = self._play()
        self._answer: FromBot | None = None
        self.turns = 0

    def readline(self) -> bytes:
        """Return the next line for the bot; an empty one at the end."""
        try:
            message = self._script.send(self._answer)
        except StopIteration:
            return b""
        self._answer = None
        return encode(message)

    def hear(self, line: bytes) -> None:
        """Take an answer of the bot."""
        self._answer = decode_from_bot(line)

    def _play(self) -> Generator[ToBot, FromBot | None, None]:
        settings = Settings()
        limits = Limits(settings.move_s, settings.game_s, settings.load_s)
        yield Game(view(self._rules), "first", 0, solo=True, limits=limits)
        state = begin_solo(self._rules, self._layout)
        report: Report | None = None
        while isinstance(request := state.request, ShootRequest):
            answer = yield ShootSalvo("", request.shots, limits.game_s, report, ())
            assert isinstance(answer, Shots)
            state = apply(state, Shoot(answer.cells))
            assert state.salvo is not None
            report = state.salvo.report
        self.turns = state.turns[0]
