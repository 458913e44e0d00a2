"""Bots alone, played for a benchmark and kept in no record: at drawn layouts, or at every one."""

import itertools
from collections import Counter
from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass, field
from typing import BinaryIO, cast

from arena.bot import Bot, serve
from arena.cli.options import bundled_bots, choose_level
from arena.entrants import parse_entrant
from arena.executors import LocalWorkers
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
from arena.schedule import DEFAULT_SEED, Plan, all_blocks
from arena.tournament import Stage

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
    bots: Sequence[str], rules: Rules, layouts: int, workers: int, seed: int = DEFAULT_SEED
) -> dict[str, Sample]:
    """Let each bot shoot at the same layouts, through the arena and without isolation.

    Args:
        bots: What names each, as on the command line of ``salvo solo``.
        rules: The rules.
        layouts: How many layouts.
        workers: How many blocks are played side by side.
        seed: What all randomness derives from.
    """
    entrants = [parse_entrant(text, bundled_bots()) for text in bots]
    plan = Plan(
        tournament="bench",
        rules=rules,
        seed=seed,
        pairings=(),
        soloists=tuple(entrant.name for entrant in entrants),
        pairs=0,
        layouts=layouts,
    )
    programs = {entrant.name: entrant.program for entrant in entrants}
    stage = Stage(rules, Settings(), choose_level("none"), programs)
    samples = {entrant.name: Sample() for entrant in entrants}
    for record in LocalWorkers(workers).run(list(all_blocks(plan)), stage):
        for game in record.games:
            assert game.forfeit is None, f"{game.fixture.first} forfeits: {game.reason}"
            sample = samples[game.fixture.first]
            sample.turns.append(game.tallies[0].turns)
            sample.shots.append(game.tallies[0].shots)
            sample.hits += game.tallies[0].hits
            sample.capped += game.termination is Termination.CAPPED
    return samples


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
