"""Games for a benchmark, through the arena: solo on common layouts, or for two; recorded or not."""

import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from arena.entrants import parse_entrant
from arena.executors import LocalWorkers
from arena.isolation import Level, choose
from arena.records import Game, Settings
from arena.rules import Rules
from arena.schedule import Plan
from arena.seeds import Seeds
from arena.store import Store, Tournament
from arena.tournament import make_plan, play_here, run
from benchmarks.games.estimates import PerLayout
from bots.tactics.value.network import VERSION
from salvo.bundled import bundled_bots
from salvo.reports.tables.luck_adjustment import keep_luck, lucks_of
from salvo.reports.work_progress import Progress, no_progress


def games_alone(  # noqa: PLR0913 - what is played, and how
    bots: Sequence[str],
    rules: Rules,
    layouts: int,
    seed: int,
    workers: int,
    *,
    progress: Progress = no_progress,
) -> Iterator[Game]:
    """Let each bot shoot at the same layouts, through the arena and without isolation.

    Args:
        bots: The bots, as on the command line of ``salvo solo``.
        rules: The rules.
        layouts: How many layouts.
        seed: The seed of all randomness.
        workers: How many blocks are played in parallel.
        progress: Follows the blocks.

    Yields:
        The games, block by block as they are finished; none is a forfeit.
    """
    entrants = [parse_entrant(text, bundled_bots()) for text in bots]
    plan = Plan(
        tournament="bench",
        seeds=Seeds(seed, rules, common_layouts=True),
        pairings=(),
        soloists=tuple(entrant.name for entrant in entrants),
        pairs=0,
        layouts=layouts,
    )
    programs = {entrant.name: entrant.program for entrant in entrants}
    play = play_here(rules, Settings(), plan.seeds, programs, choose(Level.NONE.value))
    blocks = list(plan.blocks())
    records = LocalWorkers(workers).run(partial(next, iter(blocks), None), play)
    for record in progress(records, len(blocks), "blocks"):
        yield from _without_forfeits(record.games)


def _without_forfeits(games: Iterable[Game]) -> Iterator[Game]:
    """Yield games, none of which is a forfeit."""
    for game in games:
        assert game.forfeit is None, f"{game.fixture.first} forfeits: {game.reason}"
        yield game


def play_solo(  # noqa: PLR0913 - see ``games_alone``
    bots: Sequence[str],
    rules: Rules,
    layouts: int,
    seed: int,
    workers: int,
    *,
    progress: Progress = no_progress,
) -> dict[str, PerLayout]:
    """Return the turns of each bot, layout by layout: the same layouts for all."""
    turns: defaultdict[str, PerLayout] = defaultdict(lambda: np.zeros(layouts))
    for game in games_alone(bots, rules, layouts, seed, workers, progress=progress):
        turns[game.fixture.first][game.fixture.pair] = game.tallies[0].turns
    return dict(turns)


def play_solo_adjusted(  # noqa: PLR0913 - see ``games_alone``
    bots: Sequence[str],
    rules: Rules,
    layouts: int,
    seed: int,
    workers: int,
    *,
    progress: Progress = no_progress,
) -> tuple[dict[str, PerLayout], dict[str, PerLayout]]:
    """Return the turns of each bot, layout by layout, and the same less luck."""
    games = list(games_alone(bots, rules, layouts, seed, workers, progress=progress))
    found = progress(lucks_of(rules, games, workers), len(games), "games adjusted")
    return _by_layout(layouts, zip(games, (luck.turns for _, luck in found), strict=True))


def _by_layout(
    layouts: int, games: Iterable[tuple[Game, float]]
) -> tuple[dict[str, PerLayout], dict[str, PerLayout]]:
    """Return the turns of each bot, layout by layout, and the same less the luck of each game."""
    turns: defaultdict[str, PerLayout] = defaultdict(lambda: np.zeros(layouts))
    adjusted: defaultdict[str, PerLayout] = defaultdict(lambda: np.zeros(layouts))
    for game, luck in games:
        name, layout = game.fixture.first, game.fixture.pair
        turns[name][layout] = game.tallies[0].turns
        adjusted[name][layout] = turns[name][layout] - luck
    return dict(turns), dict(adjusted)


def play_solo_into(  # noqa: PLR0913 - see ``games_alone``
    db: Path,
    tournament: str,
    bots: Sequence[str],
    *,
    rules: Rules,
    layouts: int,
    seed: int,
    workers: int,
    progress: Progress = no_progress,
) -> tuple[dict[str, PerLayout], dict[str, PerLayout]]:
    """Play as ``play_solo_adjusted`` does, but into a record: called again, it goes on from there.

    Args:
        db: The file of the record.
        tournament: The name of the tournament in it.
        bots: As in ``games_alone``, like what follows.
        rules: The rules.
        layouts: How many layouts.
        seed: The seed of all randomness.
        workers: How many blocks are played in parallel.
        progress: Follows the adjusting.
    """
    with Store(db, create=True) as store:
        entered = play_into(
            store, tournament, bots, rules=rules, layouts=layouts, seed=seed, workers=workers
        )
        keep_luck(store, entered, workers, progress=progress)
        luck = store.luck(tournament, VERSION)
        wanted = games_in(store, tournament, layouts)
        return _by_layout(layouts, ((game, luck[game.fixture.id].turns) for game in wanted))


def play_into(  # noqa: PLR0913 - see ``games_alone``
    store: Store,
    tournament: str,
    bots: Sequence[str],
    *,
    rules: Rules,
    layouts: int,
    seed: int,
    workers: int,
) -> Tournament:
    """Play what a record lacks of some solo games; see ``play_solo_into``."""
    entered = Tournament(
        name=tournament,
        kind="solo",
        rules=rules,
        seed=str(seed),
        settings=Settings(),
        entrants=tuple(parse_entrant(text, bundled_bots()) for text in bots),
        common_layouts=True,
    )
    run(
        entered,
        make_plan(entered, games=0, layouts=layouts),
        executor=LocalWorkers(workers),
        isolation=choose(Level.NONE.value),
        store=store,
        progress=lambda _done, _most: None,
    )
    return entered


def games_in(store: Store, tournament: str, layouts: int) -> Iterator[Game]:
    """Yield the recorded games on the first layouts of a tournament; none is a forfeit."""
    games = _without_forfeits(store.games(tournament))
    return (game for game in games if game.fixture.pair < layouts)


def play_match(  # noqa: PLR0913 - who plays what, how long, and where it is recorded
    one: str,
    two: str,
    pairs: int,
    workers: int,
    *,
    rules: str = "salvo",
    db: Path | None = None,
) -> tuple[float, float]:
    """Return by how many Elo points the first bot is better, and the lower limit of that.

    Args:
        one: A bot.
        two: Another.
        pairs: How many pairs of games they play.
        workers: How many blocks are played in parallel.
        rules: The preset that they play.
        db: The record, if it is to be kept: called again, the match goes on from there.
    """
    with tempfile.TemporaryDirectory() as folder:
        db = db or Path(folder) / "games.sqlite3"
        rows = run_match(one, two, pairs, workers, "--rules", rules, "--db", str(db))["elo"]
    name = parse_entrant(one, bundled_bots()).name
    ours = next(row for row in rows if row["bot"] == name)
    theirs = next(row for row in rows if row["bot"] != name)
    # Two ratings move against each other about their mean, so their difference moves twice as far.
    return ours["elo"] - theirs["elo"], ours["low"] - theirs["high"]


def run_match(one: str, two: str, pairs: int, workers: int, *options: str) -> dict[str, Any]:
    """Play a match, and return what is printed of it as JSON.

    Args:
        one: A bot.
        two: Another.
        pairs: How many pairs of games they play at most.
        workers: How many blocks are played in parallel.
        options: Further options of ``salvo match``.
    """
    command = [sys.executable, "-m", "salvo", "match", one, two, *options]
    command += ["--games", str(2 * pairs), "--format", "json", "--isolation", "none"]
    command += ["--workers", str(workers)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE)
    found: dict[str, Any] = msgspec.json.decode(done.stdout)
    return found
