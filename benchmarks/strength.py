"""Measures how strong the bundled bots are, and what each step of the best brought.

Alone: shots in the classic game and turns in the full salvo, as they are and adjusted for luck. For
two: the best against every other. All is played into a record, so that the same command goes on
from where it was interrupted.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from tabulate import tabulate

from arena.rules import preset
from benchmarks.games.common_layouts import Strength
from benchmarks.games.contests import play_solo_into
from benchmarks.games.duels import Duel, duel, duel_table, rivals
from benchmarks.games.estimates import PerLayout, adjusted_mean, estimate, written
from benchmarks.lines import Note, outcome_line
from bots.value_search import STEPS
from leaderboards.turns.adjusted import Mean
from salvo.reports.work_progress import Progress, no_progress

BEST, GREEDY = "value_search", "posterior_greedy"

*_CLASSIC, _SALVO, _ = STEPS  # the last is for two

_ALONE = {
    "classic": {
        GREEDY: GREEDY,
        **{
            step: f"{step}={BEST} --steps {','.join(STEPS[: number + 1])}"
            for number, step in enumerate(_CLASSIC)
        },
    },
    "salvo": {GREEDY: GREEDY, _SALVO: f"{_SALVO}={BEST}"},
}
"""What is played step by step, each with all before it: the name of a step, and the bot."""

HELD_OUT = 31_337
TARGET, AIM = -0.3, 44.0
SALVO_TURNS = 10.3

STEP_SHARE = 10
"""The steps between the first and the last play one layout in this many."""


class Extent(NamedTuple):
    """How much is played.

    Attributes:
        layouts: Common layouts of the classic game.
        salvos: Common layouts of the full salvo.
        pairs: Pairs of games for two, at most, of each match.
        against: Only against these; against every bot if there are none.
        workers: How many worker processes.
        db: The record.
        progress: Follows what is adjusted.
    """

    layouts: int
    salvos: int
    pairs: int
    against: Sequence[str]
    workers: int
    db: Path
    progress: Progress = no_progress


def opponents() -> list[str]:
    """Return the bots that the best bot plays for two in every game that is measured."""
    in_salvo = rivals(BEST, "salvo")
    return [name for name in rivals(BEST, "classic") if name in in_salvo]


def strength(extent: Extent) -> Iterator[str]:
    """Measure the best bot step by step, and against the others.

    Args:
        extent: How much to play.

    Yields:
        A table for each of the two games alone, the matches, and the outcome.
    """
    alone = {}
    for rules, layouts in (("classic", extent.layouts), ("salvo", extent.salvos)):
        alone[rules] = Strength({}, {})
        for name, steps, number in _parts(rules, layouts):
            yield Note(f"{rules}, alone: {number} layouts for {', '.join(steps)}")
            found = play_solo_into(
                extent.db,
                name,
                [_ALONE[rules][step] for step in steps],
                rules=preset(rules),
                layouts=number,
                seed=HELD_OUT,
                workers=extent.workers,
                progress=extent.progress,
            )
            alone[rules] = Strength(
                {**alone[rules].turns, **found[0]}, {**alone[rules].adjusted, **found[1]}
            )
        yield f"{_step_table(rules, alone[rules])}\n"
    played: list[Duel] = []
    for rules in alone:
        for other in extent.against or rivals(BEST, rules):
            yield Note(f"{rules}, for two: against {other}")
            match = duel(
                BEST, other, rules, pairs=extent.pairs, workers=extent.workers, db=extent.db
            )
            played.append(match)
    yield f"{duel_table(played)}\n"
    yield outcome_line(_outcome(alone, played, whole=not extent.against))


def _parts(rules: str, layouts: int) -> Iterator[tuple[str, list[str], int]]:
    """Yield which steps are recorded as which tournament, and on how many layouts."""
    steps = list(_ALONE[rules])
    yield f"strength-{rules}", [steps[0], steps[-1]], layouts
    if between := steps[1:-1]:
        yield f"strength-{rules}-steps", between, max(layouts // STEP_SHARE, 2)


def _outcome(
    alone: Mapping[str, Strength], played: Sequence[Duel], *, whole: bool
) -> dict[str, object]:
    """Return what was found as data; only the whole says that the best beats every other."""
    classic, salvo = alone["classic"].adjusted, alone["salvo"].adjusted
    best = list(_ALONE["classic"])[-1]
    less = adjusted_mean(classic[best] - classic[GREEDY])
    shots, turns = adjusted_mean(classic[best]), adjusted_mean(salvo[_SALVO])
    return {
        "benchmark": "strength",
        "ratio": round(less.value, 3),
        "less_greedy": [round(less.low, 3), round(less.high, 3)],
        "shots": [round(shots.low, 3), round(shots.high, 3)],
        "turns": [round(turns.low, 3), round(turns.high, 3)],
        "better": {
            rules: [duel.rival for duel in played if duel.better and duel.rules == rules]
            for rules in alone
        },
        "met": {
            "less_greedy": bool(less.high < TARGET),
            "shots": bool(shots.high < AIM),
            "turns": bool(turns.high < SALVO_TURNS),
            **{
                rules: all(duel.better for duel in played if duel.rules == rules)
                for rules in (alone if whole else ())
            },
        },
    }


def _step_table(rules: str, found: Strength) -> str:
    """Return what each step needs, and how much less that is than before it, paired."""
    steps: Sequence[str] = list(_ALONE[rules])
    rows = []
    for number, step in enumerate(steps):
        turns, adjusted = found.turns[step], found.adjusted[step]
        rows.append(
            (
                f"`{step}`" if step == GREEDY else step,
                str(estimate(turns)),
                written(adjusted_mean(adjusted)),
                written(_less(adjusted, found.adjusted[GREEDY]), "+") if number else "",
                written(_less(adjusted, found.adjusted[steps[number - 1]]), "+") if number else "",
                len(turns),
            )
        )
    counted = "shots" if rules == "classic" else "turns"
    heads = (
        f"{rules}, step",
        counted,
        "adjusted",
        f"less {GREEDY}",
        "less the step before",
        "layouts",
    )
    return str(tabulate(rows, headers=heads, tablefmt="github", disable_numparse=True))


def _less(one: PerLayout, other: PerLayout) -> Mean:
    """Return the mean difference on the layouts that both played."""
    both = min(len(one), len(other))
    return adjusted_mean(one[:both] - other[:both])
