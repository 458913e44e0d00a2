"""Compares the best bot by the posterior with the best rule of thumb, under each rule set.

Of both kinds the bot that does best on some layouts is found first; the two then play layouts of
another seed, the same for both. All is played into a record, so that the same command goes on from
where it was interrupted. RULES are presets, or paper-by-ship; without any, all.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import click
import numpy as np
from msgspec.structs import replace

from arena.records import Game, ShootStep
from arena.replay import replay
from arena.rules import PRESETS, Rules, preset, view
from arena.store import Store
from benchmarks.games.estimates import Estimate, PerLayout, adjusted_mean, estimate
from benchmarks.games.matches import plays
from benchmarks.games.solo_games import SoloGames
from benchmarks.lines import Note, markdown, outcome_line
from benchmarks.options import option, record, workers
from bots.tactics.posterior.belief import can_follow
from bots.tactics.posterior.posterior import Effort
from bots.tactics.solver.solved_game import find_policy
from bots.tactics.value.network import VERSION
from salvo.reports.pages.posteriors import glimpses
from salvo.reports.tables.luck_adjustment import keep_luck, why_not_adjusted
from salvo.reports.tables.solo_shots import solo_shots

GAMES: dict[str, Rules] = {name: rules for name, (rules, _) in PRESETS.items()} | {
    "paper-by-ship": replace(preset("paper"), name="paper-by-ship", told="count-by-ship")
}
"""Every preset, and hits counted by ship, which none has."""

RULES_OF_THUMB = ("probability_density", "hunt_parity", "hunt_target", "clever", "diagonal_search")
"""Bots that neither compute a posterior, nor learned, nor solve the game, nor shoot at random."""

STRONG = ("posterior_greedy", "posterior_parity", "value_search")
"""The strong ones of those that go by the posterior, with single shots where layouts are counted.

In a salvo, and where layouts can only be sampled, ``posterior_parity`` plays as the first does.
"""

BAYESIAN = (*STRONG, "brute_force", "monte_carlo", "thompson", "thompson_enumeration")
"""All bots that go by the posterior."""

_KINDS: dict[str, Callable[[Rules], bool]] = {
    "hits are only counted": lambda rules: rules.told != "cells",
    "reports may be lies": lambda rules: rules.lies > 0,
    "the fleet is unknown": lambda rules: not rules.fleet_known,
    "ships move": lambda rules: rules.moves,
    "ships may not touch": lambda rules: rules.touching != "allowed",
}
"""Reasons for which a bot may not play some rules."""

CHOICE, MEASURE = 31_338, 31_339
"""The seeds of the layouts that bots are chosen by, and of those that they are measured on."""

FOLLOWED = 5
"""Games of which every posterior is computed again, to say how it was known."""

MOST_MS = 20.0
"""The processor time that a move may take at the mean."""

HEADS = (
    "rules",
    "optimum",
    "best rule of thumb",
    "its turns",
    "best by the posterior",
    "its turns",
    "difference",
    "layouts",
    "ms a move",
    "posterior",
    "better",
)


@dataclass(frozen=True)
class Settings:
    """The options."""

    rules: tuple[str, ...] = field(
        default=(),
        metadata={"nargs": -1, "metavar": "[RULES]...", "type": click.Choice(list(GAMES))},
    )
    layouts: int = option(1000, "Layouts that bots are measured on.", least=2)
    first: int = option(100, "Layouts that they are chosen by.", least=2)
    workers: int = workers()
    db: Path = record("by-rules.sqlite3")


class Alone(NamedTuple):
    """The games of a bot, the turns of each, and these less luck, if that was asked for."""

    bot: str
    games: list[Game]
    turns: PerLayout
    adjusted: PerLayout


class Row(NamedTuple):
    """The results under one rule set."""

    rules: Rules
    thumb: Alone
    bayes: Alone  # the best bot that goes by the posterior
    less: Estimate  # by how many turns it is better, paired: less than 0 if it is
    optimum: float | None  # the least mean turns there can be; None where the game is not solved
    move_ms: float  # the mean processor time of a move of the latter, in milliseconds
    posterior: str  # how it knew where ships are

    @property
    def verdict(self) -> str:
        """Whether the bot by the posterior is better, or why that is not shown."""
        if self.move_ms > MOST_MS:
            return f"no: more than {MOST_MS:g} ms"
        if self.less.high < 0:
            return "yes"
        if self.less.low > 0:
            return "no: worse"
        if self.optimum is not None and _mean(self.bayes, self.rules).low <= self.optimum:
            return "no: the optimum"
        return "no: undecided"

    def cells(self, name: str) -> tuple[object, ...]:
        """Return the row of the table."""
        adjusted = " adjusted" if why_not_adjusted(self.rules) is None else ""
        return (
            f"`{name}`" + (f", alone as `{self.rules.name}`" if self.rules.name != name else ""),
            "" if self.optimum is None else f"{self.optimum:.3f}",
            f"`{self.thumb.bot}`",
            estimate(self.thumb.turns),
            f"`{self.bayes.bot}`",
            estimate(self.bayes.turns),
            f"{self.less:+.3f}{adjusted}",
            len(self.bayes.turns),
            f"{self.move_ms:.1f}",
            self.posterior,
            self.verdict,
        )


def run(settings: Settings) -> Iterator[str]:
    """Yield a note for each rule set, the table, which bots play what, and the outcome."""
    found: dict[str, Row] = {}
    for name in settings.rules or GAMES:
        alike = next((row for row in found.values() if _same_alone(row.rules, GAMES[name])), None)
        found[name] = alike or _measure(GAMES[name], settings)
        yield Note(" | ".join(map(str, found[name].cells(name))))
    yield markdown([found[name].cells(name) for name in GAMES if name in found], HEADS)
    yield f"\n{who_plays(GAMES.values())}"
    met = {name: row.verdict for name, row in found.items()}
    yield outcome_line(
        "by-rules",
        ratio=round(sum(word == "yes" for word in met.values()) / len(met), 3),
        layouts=settings.layouts,
        better=met,
    )


def _same_alone(one: Rules, two: Rules) -> bool:
    """Return whether two sets of rules differ only in what games alone do not depend on."""
    same = replace(one, name="", again=False, end="at-once", turn_limit=None, countdown=0)
    return same == replace(two, name="", again=False, end="at-once", turn_limit=None, countdown=0)


def _measure(rules: Rules, settings: Settings) -> Row:
    lucky = why_not_adjusted(rules) is None
    # Rules of thumb differ by far more than luck, which takes longer to work out than they to play.
    best = _best(rules, RULES_OF_THUMB, settings, adjusted=False)
    thumb = _play(rules, best, MEASURE, settings, adjusted=lucky)
    alike = solo_shots(rules) > 1 or not can_follow(view(rules))
    strong = [bot for bot in STRONG if not (alike and bot == "posterior_parity")]
    best = _best(rules, strong, settings, adjusted=lucky)
    bayes = _play(rules, best, MEASURE, settings, adjusted=lucky)
    policy = find_policy(view(rules))
    steps = [step for game in bayes.games for step in game.steps]
    charges_s = [step.charge_s for step in steps if isinstance(step, ShootStep)]
    return Row(
        rules,
        thumb,
        bayes,
        _mean(bayes._replace(adjusted=bayes.adjusted - thumb.adjusted), rules),
        None if policy is None else policy.mean_turns,
        float(np.mean(charges_s)) * 1000,
        _how_known(rules, bayes.games[:FOLLOWED]),
    )


def _best(rules: Rules, bots: Sequence[str], settings: Settings, *, adjusted: bool) -> str:
    """Return the bot that takes the fewest turns on the layouts to choose by."""
    able = [bot for bot in bots if plays(bot, rules)]
    if len(able) == 1:
        return able[0]
    found = [_play(rules, bot, CHOICE, settings, adjusted=adjusted) for bot in able]
    return min(found, key=lambda one: float(one.adjusted.mean())).bot


def _play(rules: Rules, bot: str, seed: int, settings: Settings, *, adjusted: bool) -> Alone:
    """Let a bot play what the record lacks of its layouts, and find its luck."""
    tournament = f"{rules.name} {bot} {seed}"
    layouts = settings.layouts if seed == MEASURE else settings.first
    solo = SoloGames([bot], rules, layouts, seed, settings.workers)
    with Store(settings.db, create=True) as store:
        entered = solo.enter(store, tournament)
        if adjusted:
            keep_luck(store, entered, settings.workers)
        found = store.luck(tournament, VERSION) if adjusted else {}
        games = sorted(solo.games_in(store, tournament), key=lambda game: game.fixture.pair)
    turns = np.array([game.tallies[0].turns for game in games], float)
    luck = [found[game.fixture.id].turns if adjusted else 0.0 for game in games]
    return Alone(bot, games, turns, turns - luck)


def _mean(alone: Alone, rules: Rules) -> Estimate:
    """Return a mean with its interval: over layouts, or over blocks of them where luck is gone."""
    lucky = why_not_adjusted(rules) is None
    return adjusted_mean(alone.adjusted) if lucky else estimate(alone.adjusted)


def _how_known(rules: Rules, games: Sequence[Game]) -> str:
    """Return how often every layout was counted, and the effective size of samples elsewhere."""
    exact, sizes = 0, []
    for game in games:
        states = [state.salvo for state in replay(game, rules)]
        salvos = [
            salvo
            for before, salvo in zip([None, *states], states, strict=False)
            if salvo is not None and salvo is not before
        ]
        for glimpse in glimpses(rules, salvos, Effort(), solo=True):
            if glimpse.found is not None and glimpse.found.exact:
                exact += 1
            elif glimpse.found is not None:
                sizes.append(glimpse.found.effective)
    if not sizes:
        return "counted"
    share = f"{exact / (exact + len(sizes)):.0%} counted, else " if exact else ""
    return f"{share}sampled, effective size {np.median(sizes):,.0f}"


def who_plays(games: Iterable[Rules]) -> str:
    """Return a table of ``BAYESIAN``: how many of some games each plays, and why not the others.

    The reason is what such a game has and none that the bot plays.
    """
    games = list(games)
    rows = []
    for bot in BAYESIAN:
        played = [rules for rules in games if plays(bot, rules)]
        missing = [rules for rules in games if rules not in played]
        rows.append((f"`{bot}`", f"{len(played)} of {len(games)}", _why_not(missing, played)))
    return markdown(rows, ("bot", "plays", "does not play"))


def _why_not(missing: Sequence[Rules], played: Sequence[Rules]) -> str:
    by_reason: defaultdict[str, list[str]] = defaultdict(list)
    for rules in missing:
        kinds = [
            kind for kind, holds in _KINDS.items() if holds(rules) and not any(map(holds, played))
        ]
        by_reason[" and ".join(kinds)].append(f"`{rules.name}`")
    return "; ".join(f"{', '.join(names)}: {kinds}" for kinds, names in by_reason.items())
