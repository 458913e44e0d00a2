"""Plays into a record the games that it lacks."""

import secrets
from collections.abc import Callable, Iterable

from arena.entrants import ClassEntrant, Entrant
from arena.errors import UserError
from arena.executors import Cluster, Executor, LocalWorkers, ThisProcess
from arena.records import PAIRS_PER_BLOCK, PAIRS_PER_BLOCK_OF_A_FIELD, BlockRecord
from arena.schedule import Schedule
from arena.seeds import LEAGUE_SEED_BITS, SAFE_SEED_BITS
from arena.store import Store, Tournament
from arena.text import first_few
from arena.tournament import PutOff, name_tournament, run, waiting
from arena.tournament.remote_block import payload_of
from salvo.conditions import Conditions
from salvo.playing.entering import Notify, is_bundled
from salvo.playing.mishaps import describe_forfeits, describe_overload, describe_voids


def make_tournament(
    kind: str, entrants: Iterable[Entrant], conditions: Conditions, gauntlet: str | None = None
) -> Tournament:
    """Return a tournament, under the name given or one of its own."""
    return name_tournament(
        Tournament(
            name=conditions.tournament_name or "",
            kind=kind,
            rules=conditions.rules,
            seed=str(conditions.seed),
            settings=conditions.settings,
            entrants=tuple(entrants),
            gauntlet=gauntlet,
            block_pairs=PAIRS_PER_BLOCK_OF_A_FIELD if kind == "tournament" else PAIRS_PER_BLOCK,
            common_layouts=conditions.common_layouts,
        )
    )


def play(  # noqa: PLR0913 - what is played and how, and four ways to follow it
    tournament: Tournament,
    schedule: Schedule,
    conditions: Conditions,
    store: Store,
    *,
    notify: Notify,
    progress: Callable[[int, int], object],
    played: Callable[[BlockRecord], object] = lambda _: None,
    stop: Callable[[], bool] = lambda: False,
) -> list[PutOff]:
    """Play what the record lacks, and report forfeits and games that were played again.

    Blocks are returned that were put off, since what a bot needs from outside was not available.
    `progress`, `played` and `stop` are those of ``arena.tournament.run``.
    """
    _warn_of_seed(tournament, conditions.seed, notify)
    left = run(
        tournament,
        schedule,
        executor=_executor(tournament, schedule, conditions, stop),
        isolation=conditions.isolation,
        store=store,
        progress=progress,
        played=played,
        stop=stop,
        logs=conditions.logs,
    )
    overload = describe_overload(store.origins_of_timeouts(tournament.name))
    for line in (
        *describe_forfeits(tournament, store),
        *describe_voids(store.voids(tournament.name)),
        *([overload] if overload else []),
    ):
        notify(line)
    return left


def _executor(
    tournament: Tournament, schedule: Schedule, conditions: Conditions, stop: Callable[[], bool]
) -> Executor:
    if any(isinstance(entrant, ClassEntrant) for entrant in tournament.entrants):
        return ThisProcess()
    if conditions.cluster is None:
        names = waiting(tournament.entrants)
        waits = (lambda block: not names.isdisjoint(block.entrants)) if names else None
        return LocalWorkers(conditions.workers, waits=waits, stop=stop)
    told = first_few([one.name for one in tournament.entrants if one.program.secrets])
    if told:
        raise UserError(
            f"--cluster {conditions.cluster}: {told} is given secrets, and none is sent to other "
            "machines; play without --cluster"
        )
    if conditions.logs is not None:
        raise UserError(
            f"--log {conditions.logs}: with --cluster bots write on other machines; leave out one "
            "of them; the record keeps what bots wrote before they forfeited"
        )
    payload = payload_of(tournament, schedule.seeds, conditions.isolation.level)
    return Cluster(conditions.cluster, payload, conditions.workers, stop=stop)


def _warn_of_seed(tournament: Tournament, seed: int, notify: Notify) -> None:
    strangers = [
        entrant.name
        for entrant in tournament.entrants
        if not is_bundled(entrant) and not isinstance(entrant, ClassEntrant)
    ]
    if len(strangers) > 1 and seed < 2**SAFE_SEED_BITS:
        # The seed of a league is fixed.
        how = "begin another league with" if tournament.kind == "league" else "use"
        notify(
            f"seed {seed} can be guessed, and whoever knows it knows every layout: if the authors "
            f"of {first_few(strangers)} compete, {how} a secret one, such as "
            f"--seed {secrets.randbits(LEAGUE_SEED_BITS)}"
        )
