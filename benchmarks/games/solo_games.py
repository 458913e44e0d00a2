"""Plays solo games for a benchmark: through the arena, recorded or not, or in this process."""

import itertools
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

from arena.bot import Bot
from arena.entrants import parse_entrant
from arena.executors import LocalWorkers
from arena.isolation import Level, choose
from arena.records import Game, Settings
from arena.referee import play_bots
from arena.rules import FIRST_FEATURES, Layout, Rules, placements, refuse_unknown
from arena.rules.rule_features import TOUCHING
from arena.schedule import Plan
from arena.seeds import Seeds
from arena.store import Store, Tournament
from arena.tournament import make_plan, play_here, run
from benchmarks.games.estimates import PerLayout
from bots.tactics.value.network import VERSION
from salvo.bundled import bundled_bots
from salvo.cli.terminal.progress_bars import progress_bar
from salvo.reports.tables.luck_adjustment import keep_luck, lucks_of

Turns = dict[str, PerLayout]
"""The turns of each bot, layout by layout."""


class Strength(NamedTuple):
    """The turns that bots need on the same layouts, as they are and less luck."""

    turns: Turns
    adjusted: Turns


class SoloGames(NamedTuple):
    """Bots that all shoot at the same layouts, through the arena and without isolation."""

    bots: Sequence[str]  # as on the command line of `salvo solo`
    rules: Rules
    layouts: int
    seed: int  # the seed of all randomness
    workers: int  # how many blocks are played in parallel

    def play(self) -> Iterator[Game]:
        """Yield the games, block by block as they are finished; none is a forfeit."""
        entrants = [parse_entrant(text, bundled_bots()) for text in self.bots]
        plan = Plan(
            tournament="bench",
            seeds=Seeds(self.seed, self.rules, common_layouts=True),
            pairings=(),
            soloists=tuple(entrant.name for entrant in entrants),
            pairs=0,
            layouts=self.layouts,
        )
        programs = {entrant.name: entrant.program for entrant in entrants}
        isolation = choose(Level.NONE.value)
        play = play_here(self.rules, Settings(), plan.seeds, programs, isolation)
        blocks = list(plan.blocks())
        records = LocalWorkers(self.workers).run(partial(next, iter(blocks), None), play)
        for record in progress_bar(records, len(blocks), "blocks"):
            yield from map(_finished, record.games)

    def turns(self) -> Turns:
        """Return the turns of each bot."""
        return self._by_layout((game, 0.0) for game in self.play()).turns

    def strength(self) -> Strength:
        """Return the turns of each bot, and the same less luck."""
        games = list(self.play())
        found = lucks_of(self.rules, games, self.workers)
        lucks = (luck.turns for _, luck in progress_bar(found, len(games), "games adjusted"))
        return self._by_layout(zip(games, lucks, strict=True))

    def strength_by(self, db: Path, tournament: str) -> Strength:
        """Return the same by a record: what it lacks is played into it."""
        with Store(db, create=True) as store:
            keep_luck(store, self.enter(store, tournament), self.workers, progress=progress_bar)
            luck = store.luck(tournament, VERSION)
            games = self.games_in(store, tournament)
            return self._by_layout((game, luck[game.fixture.id].turns) for game in games)

    def enter(self, store: Store, name: str) -> Tournament:
        """Play what a record lacks of the games, and return their tournament."""
        tournament = Tournament(
            name=name,
            kind="solo",
            rules=self.rules,
            seed=str(self.seed),
            settings=Settings(),
            entrants=tuple(parse_entrant(text, bundled_bots()) for text in self.bots),
            common_layouts=True,
        )
        run(
            tournament,
            make_plan(tournament, games=0, layouts=self.layouts),
            executor=LocalWorkers(self.workers),
            isolation=choose(Level.NONE.value),
            store=store,
            progress=lambda _done, _most: None,
        )
        return tournament

    def games_in(self, store: Store, tournament: str) -> Iterator[Game]:
        """Yield the recorded games; a record may have more layouts. None is a forfeit."""
        games = map(_finished, store.games(tournament))
        return (game for game in games if game.fixture.pair < self.layouts)

    def _by_layout(self, games: Iterable[tuple[Game, float]]) -> Strength:
        """Return turns, and turns less the luck that comes with each game."""
        turns: Turns = defaultdict(lambda: np.zeros(self.layouts))
        adjusted: Turns = defaultdict(lambda: np.zeros(self.layouts))
        for game, luck in games:
            name, layout = game.fixture.first, game.fixture.pair
            turns[name][layout] = game.tallies[0].turns
            adjusted[name][layout] = game.tallies[0].turns - luck
        return Strength(dict(turns), dict(adjusted))


def _finished(game: Game) -> Game:
    assert game.forfeit is None, f"{game.fixture.first} forfeits: {game.reason}"
    return game


def mean_over_every_layout(bot: Bot, rules: Rules) -> float:
    """Return the mean turns of a bot over every layout, played in this process."""
    counts = turns_over_every_layout(bot, rules)
    return sum(turns * number for turns, number in counts.items()) / counts.total()


def turns_over_every_layout(bot: Bot, rules: Rules) -> Counter[int]:
    """Return how many layouts take a bot each number of turns, played in this process."""
    return Counter(turns_at(bot, rules, every_layout(rules)))


def turns_at(bot: Bot, rules: Rules, layouts: Iterable[Layout]) -> list[int]:
    """Return how many turns a bot takes on each of some layouts, played in this process."""
    return [game_at(bot, rules, layout).tallies[0].turns for layout in layouts]


def game_at(bot: Bot, rules: Rules, layout: Layout) -> Game:
    """Return the game of a bot on a layout, played in this process."""
    return _finished(play_bots([bot], rules, layout=layout))


def every_layout(rules: Rules) -> list[Layout]:
    """Return every layout of ships that may touch."""
    refuse_unknown(
        rules, FIRST_FEATURES - TOUCHING, "the list of all layouts does not know this rule"
    )
    places = [placements(rules.rows, rules.columns, ship.length) for ship in rules.fleet]
    return [
        layout
        for layout in itertools.product(*places)
        if sum(layout).bit_count() == sum(mask.bit_count() for mask in layout)
    ]
