"""Computes the luck in recorded solo games: turns that answers cost which chance alone decided.

Turns less luck have the same mean as turns, and scatter far less: see ``docs/luck.md``.
"""

import hashlib
import itertools
import multiprocessing
import signal
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial

import numpy as np

from arena.records import Game
from arena.replay import replay
from arena.rules import CellsReport, Rules, Salvo, refuse_unknown, unusual
from arena.rules.rule_features import COUNTED, SALVOS, SINKINGS, TOUCHING, TURNS
from arena.store import Luck, Store, Tournament
from bots.tactics.posterior.board_placements import MAX_CELLS, Floats, board_of
from bots.tactics.posterior.evidence import Observation, observation_of
from bots.tactics.value.answer_luck import Answers, answers_of, log_e_values, lucks, values
from bots.tactics.value.chances import Chances, Odds
from bots.tactics.value.network import VERSION, network_for
from salvo.reports.tables.solo_shots import solo_shots
from salvo.reports.work_progress import Progress, no_progress

AT_ONCE = 20  # games whose luck is kept together
_ADJUSTED = SALVOS | SINKINGS | TOUCHING | TURNS | {"hits_named", "reshoot"}
_REASONS = {
    "layouts=sequential": "layouts are not drawn uniformly",
    "moves": "ships move",
    "fleet_known": "the fleet is unknown",
    **dict.fromkeys(COUNTED, "only the number of hits of a salvo is reported"),
    "lies": "answers may be lies",
    "hits_named": "the hits of a salvo name the ships",
    "sunk_cells": "the cells of sunk ships are reported",
}
"""The reasons not to adjust results where rules have a feature, the first one first."""


def why_not_adjusted(rules: Rules) -> str | None:
    """Return in one sentence why results by some rules are not adjusted; None if they can be.

    Raises:
        RulesError: If they have a feature that the adjustment does not know.
    """
    refuse_unknown(
        rules, _ADJUSTED | _REASONS.keys(), "the adjustment for luck does not know this rule"
    )
    # Whoever is told more than luck counts on can shoot where its draws happen to be wrong.
    understood = _ADJUSTED if solo_shots(rules) == 1 else _ADJUSTED - {"hits_named"}
    features = unusual(rules) - understood
    reasons = [why for feature, why in _REASONS.items() if feature in features]
    if rules.cells > MAX_CELLS:
        reasons.append("the board is too large")
    return f"{rules.name}: not adjusted for luck, since {reasons[0]}." if reasons else None


def luck_of_game(rules: Rules, game: Game) -> Luck:
    """Return by how many turns luck made a solo game longer, and how far that is beyond chance.

    A game that was not finished has the luck of the shots that were answered.

    Raises:
        RecordError: If the record does not follow the rules.
    """
    return luck_of(rules, _salvos(rules, game), _seed_of(game))


def luck_by_salvo(rules: Rules, game: Game) -> tuple[list[float | None], float | None]:
    """Return the luck of each salvo of a solo game, and what was left after the first on average.

    Both are in turns, and None where they are not known. The lucks sum up to ``luck_of_game``.

    Raises:
        RecordError: If the record does not follow the rules.
    """
    salvos = _salvos(rules, game)
    told: list[bool] = []  # a cell shot again tells nothing new, as in ``_observations``
    shot: set[int] = set()
    for salvo in salvos:
        told.append(bool(set(salvo.cells) - shot))
        shot |= set(salvo.cells)
    found = answers_in(rules, salvos, _seed_of(game))
    if found is None:
        return [None] * len(salvos), None
    answers, turns = found
    each = iter(lucks(answers, turns).tolist())
    by_salvo = [next(each, None) if new else None for new in told]
    first = answers.salvo == 0
    return by_salvo, float((answers.chances[first] * turns[first]).sum())


def _salvos(rules: Rules, game: Game) -> list[Salvo]:
    return [state.salvo for state in replay(game, rules) if state.salvo is not None]


def _seed_of(game: Game) -> bytes:
    # No bot knows the seed of the layout, so none can shoot where these draws happen to be wrong.
    text = f"luck {game.fixture.id} {game.fixture.seeds[1]} {game.fixture.attempt}"
    return hashlib.sha256(text.encode()).digest()


def luck_of(rules: Rules, salvos: Sequence[Salvo], seed: bytes) -> Luck:
    """Return by how many turns luck made a search longer, and how far that is beyond chance.

    Layouts are drawn by the seed: nothing that the shooter or the layout depends on.
    """
    found = answers_in(rules, salvos, seed)
    if found is None:
        return Luck(0.0, ())
    answers, turns = found
    e_values = log_e_values(answers, turns * solo_shots(rules))[answers.came].sum(axis=0)
    return Luck(float(lucks(answers, turns).sum()), tuple(e_values.tolist()))


def answers_in(
    rules: Rules, salvos: Sequence[Salvo], seed: bytes, odds: Odds | None = None
) -> tuple[Answers, Floats] | None:
    """Return the answers that the salvos might have got, and the turns left after each, if any.

    Layouts are as likely as ``odds`` says; by default they are drawn uniformly.
    """
    by_name = {ship.name: ship.length for ship in rules.fleet}
    lengths = tuple(sorted(by_name.values(), reverse=True))
    board = board_of(rules.rows, rules.columns, lengths, rules.touching)
    seeds = np.random.SeedSequence(list(seed)).spawn(2)
    randoms = [np.random.default_rng(one) for one in seeds]
    chances = Chances(board, lengths, randoms, named=rules.hits_named, thorough=True, odds=odds)
    outlooks = [
        outlook
        for told in _observations(salvos, by_name)
        if (outlook := chances.observe(told)) is not None
    ]
    if not outlooks:
        return None
    shots = solo_shots(rules)
    answers = answers_of(board, outlooks, shots)
    misses = network_for(shots).misses(answers.features)
    return answers, values(answers, misses)


def _observations(salvos: Iterable[Salvo], lengths: dict[str, int]) -> Iterator[Observation]:
    """Yield what each salvo was answered; a cell shot again tells nothing new."""
    shot: set[int] = set()
    for salvo in salvos:
        report = salvo.report
        assert isinstance(report, CellsReport)
        told = observation_of(salvo.cells, report, lengths)
        new = tuple(cell for cell in told.cells if cell not in shot)
        shot |= set(new)
        if new:
            fresh = [place for place, cell in enumerate(told.hits) if cell in new]
            ships = told.ships
            yield Observation(
                new,
                tuple(told.hits[place] for place in fresh),
                told.sunk,
                None if ships is None else tuple(ships[place] for place in fresh),
            )


def keep_luck(
    store: Store, tournament: Tournament, workers: int, *, progress: Progress = no_progress
) -> None:
    """Work out the luck that the record lacks, and keep it there, some games at a time."""
    games = store.games_without_luck(tournament.name, VERSION)
    lucks = lucks_of(tournament.rules, games, workers)
    found = iter(progress(lucks, len(games), "games"))
    while some := list(itertools.islice(found, AT_ONCE)):
        store.keep_luck(some, VERSION)


def lucks_of(rules: Rules, games: Sequence[Game], workers: int) -> Iterator[tuple[str, Luck]]:
    """Yield the id of each of some games and its luck, in order; arguments as in ``keep_luck``."""
    work = partial(_named_luck, rules)
    if workers == 1 or len(games) <= AT_ONCE:
        yield from map(work, games)
        return
    # Spawned, not forked: a connection to SQLite must not be taken into another process.
    # Ctrl-C is for this process, which then ends the others.
    ignore = partial(signal.signal, signal.SIGINT, signal.SIG_IGN)
    pool = ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), ignore)
    try:
        # One by one, so that it shows at once how far the work is: a game takes a second or so.
        yield from pool.map(work, games)
    finally:
        pool.shutdown(cancel_futures=True)


def _named_luck(rules: Rules, game: Game) -> tuple[str, Luck]:
    return game.fixture.id, luck_of_game(rules, game)
