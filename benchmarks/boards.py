"""Compares value_search with the greedy player on twenty boards, from 4x4 to 12x12.

Its value network learned from games on boards of all sizes; where it misleads, the bot is worse
than the greedy player, which uses none. Both play the same layouts, alone, one shot a turn,
sinkings named. The optimum of the last layouts is left out (the step ``endgame``), and with it the
tables of small games that are solved: they would hide what the network does. Results are less luck.
The games go into a record, from which the same command goes on.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import click
from msgspec.structs import replace

from arena.rules import Rules, Ship, preset
from benchmarks.games.estimates import Estimate, PerLayout, adjusted_mean
from benchmarks.games.solo_games import SoloGames
from benchmarks.lines import Note, markdown, outcome_line
from benchmarks.options import option, record, workers
from bots.value_search import STEPS

BOARDS: dict[str, tuple[int, int, tuple[int, ...]]] = {
    "4x4: 3 2": (4, 4, (3, 2)),
    "4x5: 3 2": (4, 5, (3, 2)),
    "5x5: 3 2 2": (5, 5, (3, 2, 2)),
    "5x5: 4 3": (5, 5, (4, 3)),
    "4x8: 3 3 2": (4, 8, (3, 3, 2)),
    "6x6: 3 2 2": (6, 6, (3, 2, 2)),
    "6x6: 4 3 2": (6, 6, (4, 3, 2)),
    "5x8: 4 3 2": (5, 8, (4, 3, 2)),
    "7x7: 4 3 2": (7, 7, (4, 3, 2)),
    "7x7: 3 3 2 2": (7, 7, (3, 3, 2, 2)),
    "8x8: 4 3 3 2": (8, 8, (4, 3, 3, 2)),
    "8x8: 5 4 3": (8, 8, (5, 4, 3)),
    "8x8: 2 2 2 2": (8, 8, (2, 2, 2, 2)),
    "9x9: 5 4 3 2": (9, 9, (5, 4, 3, 2)),
    "9x9: 4 4 3 3 2": (9, 9, (4, 4, 3, 3, 2)),
    "8x12: 5 4 3 3 2": (8, 12, (5, 4, 3, 3, 2)),
    "10x10: 5 4 3 2": (10, 10, (5, 4, 3, 2)),
    "10x10: 4 4 4": (10, 10, (4, 4, 4)),
    "11x11: 5 4 3 3 2": (11, 11, (5, 4, 3, 3, 2)),
    "12x12: 5 4 4 3 3 2": (12, 12, (5, 4, 4, 3, 3, 2)),
}
"""Rows, columns and fleet of each, the smallest first."""

GREEDY = "posterior_greedy"
SEARCH = f"search=value_search --steps {','.join(step for step in STEPS if step != 'endgame')}"
WORST = 0.02  # turns that it may be worse by at the most
SEED = 31_340


@dataclass(frozen=True)
class Settings:
    """The options."""

    boards: tuple[str, ...] = option(
        (),
        "A board to play; may be repeated. Default: all.",
        type=click.Choice(list(BOARDS)),
    )
    layouts: int = option(
        400,
        "Layouts of a board of 10x10; others have as many cells in all.",
        least=40,
    )
    workers: int = workers()
    db: Path = record("boards.sqlite3")


def run(settings: Settings) -> Iterator[str]:
    """Yield a table of the boards, the smallest first, and the outcome."""
    rows, found_to_be = [], defaultdict(list)
    for name in settings.boards or BOARDS:
        yield Note(name)
        rules = rules_of(name)
        layouts = settings.layouts * preset("classic").cells // rules.cells
        found = _played(rules, layouts, settings)
        less = adjusted_mean(found["search"] - found[GREEDY])
        means = [adjusted_mean(found[bot]) for bot in (GREEDY, "search")]
        verdict = _verdict(less)
        rows.append((name, layouts, *means, f"{less:+.3f}", verdict))
        found_to_be[verdict].append(name)
    heads = ("board: fleet", "layouts", f"`{GREEDY}`", "`value_search`", "less", "")
    yield markdown(rows, heads)
    yield outcome_line("boards", **found_to_be)


def rules_of(name: str) -> Rules:
    """Return the rules of a board: as ``classic``, but for the board and the fleet."""
    rows, columns, lengths = BOARDS[name]
    fleet = tuple(Ship(f"ship {number}", length) for number, length in enumerate(lengths, 1))
    name = f"{rows}x{columns}-{'-'.join(map(str, lengths))}"
    return replace(preset("classic"), name=name, rows=rows, columns=columns, fleet=fleet)


def _played(rules: Rules, layouts: int, settings: Settings) -> dict[str, PerLayout]:
    games = SoloGames([GREEDY, SEARCH], rules, layouts, SEED, settings.workers)
    return games.strength_by(settings.db, rules.name).adjusted


def _verdict(less: Estimate) -> str:
    if less.high < 0:
        return "better"
    if less.low > WORST:
        return "worse"
    return "as good" if less.high <= WORST else "undecided"
