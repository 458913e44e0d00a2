"""Measures the strongest bot step by step; the same command goes on from the record.

Alone: shots in the classic game and turns in the full salvo, as they are and adjusted for luck; the
steps on the way play a tenth of the layouts. For two it plays every other bot until a sequential
test decides.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from arena.rules import preset
from benchmarks.games.estimates import Estimate, PerLayout, adjusted_mean, estimate
from benchmarks.games.matches import Duel, duel, duel_table, rivals
from benchmarks.games.solo_games import SoloGames, Strength
from benchmarks.lines import Note, markdown, outcome_line
from benchmarks.options import option, record, workers
from bots.value_search import STEPS

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
LESS_GREEDY, SHOTS = -0.3, 43.75
SALVO_TURNS = 10.15

STEP_SHARE = 10
"""The steps between the first and the last play one layout in this many."""


def _opponents(
    _context: click.Context, _parameter: click.Parameter, names: tuple[str, ...]
) -> tuple[str, ...]:
    in_salvo = rivals(BEST, "salvo") if names else []
    known = [name for name in rivals(BEST, "classic") if name in in_salvo] if names else []
    if unknown := [name for name in names if name not in known]:
        raise click.BadParameter(f"{unknown[0]!r}: give one of {', '.join(known)}.")
    return names


@dataclass(frozen=True)
class Settings:
    """The options."""

    layouts: int = option(10_000, "Layouts that it plays alone, of the classic game.", least=2)
    salvos: int = option(2000, "Layouts that it plays alone, of the full salvo.", least=2)
    pairs: int = option(10_000, "Pairs of games of a match, at most.", least=2)
    against: tuple[str, ...] = option(
        (),
        "Play for two against this bot only; may be repeated.",
        metavar="BOT",
        callback=_opponents,
    )
    workers: int = workers()
    db: Path = record("strength.sqlite3")


def run(settings: Settings) -> Iterator[str]:
    """Yield a table for each of the two games alone, the matches, and the outcome."""
    alone = {}
    for rules, layouts in (("classic", settings.layouts), ("salvo", settings.salvos)):
        alone[rules] = Strength({}, {})
        for name, steps, number in _parts(rules, layouts):
            yield Note(f"{rules}, alone: {number} layouts for {', '.join(steps)}")
            bots = [_ALONE[rules][step] for step in steps]
            games = SoloGames(bots, preset(rules), number, HELD_OUT, settings.workers)
            found = games.strength_by(settings.db, name)
            alone[rules].turns.update(found.turns)
            alone[rules].adjusted.update(found.adjusted)
        yield f"{_step_table(rules, alone[rules])}\n"
    played: list[Duel] = []
    for rules in alone:
        for other in settings.against or rivals(BEST, rules):
            yield Note(f"{rules}, for two: against {other}")
            match = duel(
                BEST, other, rules, pairs=settings.pairs, workers=settings.workers, db=settings.db
            )
            played.append(match)
    yield f"{duel_table(played)}\n"
    yield _outcome(alone, played, whole=not settings.against)


def _parts(rules: str, layouts: int) -> Iterator[tuple[str, list[str], int]]:
    """Yield which steps are recorded as which tournament, and on how many layouts."""
    steps = list(_ALONE[rules])
    yield f"strength-{rules}", [steps[0], steps[-1]], layouts
    if between := steps[1:-1]:
        yield f"strength-{rules}-steps", between, max(layouts // STEP_SHARE, 2)


def _outcome(alone: Mapping[str, Strength], played: Sequence[Duel], *, whole: bool) -> str:
    """Return the last line; only the whole says that the best beats every other."""
    classic, salvo = alone["classic"].adjusted, alone["salvo"].adjusted
    best = list(_ALONE["classic"])[-1]
    less = adjusted_mean(classic[best] - classic[GREEDY])
    shots, turns = adjusted_mean(classic[best]), adjusted_mean(salvo[_SALVO])
    of_rules = {rules: [duel for duel in played if duel.rules == rules] for rules in alone}
    return outcome_line(
        "strength",
        ratio=round(less.value, 3),
        less_greedy=[round(less.low, 3), round(less.high, 3)],
        shots=[round(shots.low, 3), round(shots.high, 3)],
        turns=[round(turns.low, 3), round(turns.high, 3)],
        better={
            rules: [duel.rival for duel in duels if duel.better]
            for rules, duels in of_rules.items()
        },
        met={
            "less_greedy": less.high < LESS_GREEDY,
            "shots": shots.high < SHOTS,
            "turns": turns.high < SALVO_TURNS,
            **{
                rules: all(duel.better for duel in duels)
                for rules, duels in (of_rules.items() if whole else ())
            },
        },
    )


def _step_table(rules: str, found: Strength) -> str:
    rows: list[tuple[object, ...]] = []
    before = ""
    for step in _ALONE[rules]:
        turns, adjusted = found.turns[step], found.adjusted[step]
        gains = [
            f"{_less(adjusted, found.adjusted[one]):+.3f}" for one in (GREEDY, before) if before
        ]
        name = f"`{step}`" if step == GREEDY else step
        rows.append(
            (name, estimate(turns), adjusted_mean(adjusted), *(gains or ("", "")), len(turns))
        )
        before = step
    counted = "shots" if rules == "classic" else "turns"
    gained = (f"less {GREEDY}", "less the step before")
    return markdown(rows, (f"{rules}, step", counted, "adjusted", *gained, "layouts"))


def _less(one: PerLayout, other: PerLayout) -> Estimate:
    both = min(len(one), len(other))
    return adjusted_mean(one[:both] - other[:both])
