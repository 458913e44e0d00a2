"""Measures what a round trip costs the processor, beside C to C over pipes.

Wall time on a busy machine says little, so the processor time of all processes is counted, in short
slices that alternate between those compared, and of each the least counts.
"""

import os
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from importlib.resources import as_file, files
from pathlib import Path

from arena.errors import UserError
from arena.isolation import Level
from arena.player import UNHURRIED, InProcessPlayer
from arena.referee import play_game
from arena.rules import Rules, view
from benchmarks.costs.contenders import Arena, InC, compiled
from benchmarks.costs.installations import python_of
from benchmarks.costs.precomputed_bot import PrecomputedBot
from benchmarks.costs.slices import NAMES, Order, fixtures, round_trips
from benchmarks.lines import Note, aligned, outcome_line

AIM = 0.20
AIM_AGAINST = 0.75
_OURS = "this Salvo"
PAIRS = 20
"""Pairs of games that are recorded together."""


def transport(
    rounds: int, slices: int, level: Level, rules: Rules, against: Path | None = None
) -> Iterator[str]:
    """Measure the processor time of round trips between the arena and two bots, beside C to C.

    The arena's process, both bots and the record count; the starts of the processes do not. All run
    on one core. The same games are then played by the same bots in this process, as training plays
    them.

    Args:
        rounds: How often to begin anew, with fresh processes.
        slices: How many slices of each, of a pair of games, in a round.
        level: The level of isolation.
        rules: The rules of the games.
        against: A virtual environment whose Salvo is measured in alternation with this one.

    Yields:
        A table, ratios, and the outcome.

    Raises:
        UserError: If this is not Linux, or an installation cannot be measured.
    """
    if sys.platform != "linux":
        raise UserError(
            "only Linux tells the processor time of another process that still runs; run it there"
        )
    pythons = {_OURS: sys.executable}
    if against is not None:
        pythons[str(against)] = python_of(against)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        bot = stack.enter_context(as_file(files("benchmarks.costs") / "precomputed_bot.py"))
        stack.enter_context(_on_one_core())
        order = Order(rules, 1, level.value, str(bot), min(slices, PAIRS) * 2, str(folder))
        arenas = [Arena(name, python, order) for name, python in pythons.items()]
        yardstick = compiled(folder)
        in_c = None if yardstick is None else InC(yardstick)
        measured: list[Arena | InC] = [*arenas] if in_c is None else [in_c, *arenas]
        for number in range(rounds):
            with ExitStack() as running:
                for one in measured:
                    running.enter_context(one)
                for _ in range(slices):
                    for one in measured:
                        one.measure()
            yield Note(f"round {number + 1} of {rounds}")
    for arena in arenas:
        yield arena.origin
    yield _table(in_c, arenas)
    here_us = _play_here(rules, slices)
    yield f"the same games in this process: {here_us:.1f} us a round trip"
    outcome: dict[str, object] = {
        "benchmark": "transport",
        "ratio": None,
        "aim": AIM,
        "rules": rules.name,
        "isolation": level,
        "optimised": arenas[0].installed.optimised,
        "in_process_us": round(here_us, 2),
    }
    yield from _compared(in_c, arenas, outcome)
    yield outcome_line(outcome)


def _compared(
    in_c: InC | None, arenas: Sequence[Arena], outcome: dict[str, object]
) -> Iterator[str]:
    """Yield what costs how much of what, and put it into the outcome."""
    ours, *others = (arena.best() for arena in arenas)
    outcome |= ours.rounded()
    if in_c is None:
        yield "no C compiler (`cc`) was found: C to C is left out"
    else:
        share = in_c.best_us() / ours.whole_us
        yield f"C to C, as a share of a round trip in whole games: {share:.3f}"
        outcome["ratio"] = round(share, 3)
    for theirs, arena in zip(others, arenas[1:], strict=True):
        ratios = [mine / other for mine, other in zip(ours, theirs, strict=True)]
        turn, game, whole = (f"{ratio:.3f}" for ratio in ratios)
        yield (
            f"{_OURS}, as a share of {arena.name}: a round trip {turn}, besides a game {game}, "
            f"whole games {whole}"
        )
        outcome["against"] = {"ratio": round(ratios[0], 3), "aim": AIM_AGAINST, **theirs.rounded()}


@contextmanager
def _on_one_core() -> Iterator[None]:
    """Keep this process, and those that it starts meanwhile, on one core."""
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(allowed)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, allowed)


def _table(in_c: InC | None, arenas: Sequence[Arena]) -> str:
    rows = [] if in_c is None else [(in_c.name, f"{in_c.best_us():.1f}", "", "")]
    for arena in arenas:
        best = arena.best()
        rows.append(
            (arena.name, f"{best.turn_us:.1f}", f"{best.game_us:.0f}", f"{best.whole_us:.1f}")
        )
    return aligned(
        rows, ("processor time, us", "round trip", "besides, a game", "whole games, a round trip")
    )


def _play_here(rules: Rules, slices: int) -> float:
    """Return the processor time of a round trip of the same games between bots of this process.

    It is the least of as many slices, in microseconds.
    """
    players = {name: InProcessPlayer(PrecomputedBot, view(rules)) for name in NAMES}
    all_us = []
    for _ in range(slices):
        started = time.process_time()
        games = [play_game(fixture, rules, UNHURRIED, players) for fixture in fixtures(1, "here")]
        spent_s = time.process_time() - started
        all_us.append(1e6 * spent_s / round_trips(games))
    return min(all_us)
