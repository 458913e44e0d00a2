"""Measures the bots by the posterior against rules of thumb, in every preset.

Of both kinds the bot that does best on some layouts is found first; the two then play layouts of
another seed, the same for both. All is played into a record, so that the same command goes on from
where it was interrupted.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace
from tabulate import tabulate

from arena.records import Game, ShootStep
from arena.replay import replay
from arena.rules import PRESETS, Rules, preset, view
from arena.store import Store
from benchmarks.games.contests import games_in, play_into
from benchmarks.games.estimates import PerLayout, adjusted_mean, estimate, written
from benchmarks.games.who_plays import plays, who_plays
from benchmarks.lines import Note, outcome_line
from bots.tactics.posterior.belief import can_follow
from bots.tactics.posterior.posterior import Effort
from bots.tactics.solver.solved_game import find_policy
from bots.tactics.value.network import VERSION
from leaderboards.turns.adjusted import Mean
from salvo.reports.pages.posteriors import glimpses
from salvo.reports.tables.game_tables import solo_shots
from salvo.reports.tables.luck_adjustment import keep_luck, why_not_adjusted

GAMES: dict[str, Rules] = {name: rules for name, (rules, _) in PRESETS.items()} | {
    "paper-by-ship": replace(preset("paper"), name="paper-by-ship", told="count-by-ship")
}
"""Every preset, and hits counted by ship, which none has."""

RULES_OF_THUMB = (
    "probability_density",
    "hunt_parity",
    "hunt_target",
    "clever",
    "diagonal_search",
)
"""Bots that neither compute a posterior, nor learned, nor solve the game, nor shoot at random."""

GREEDY = "posterior_greedy"
BAYESIAN = (GREEDY, "posterior_parity", "value_search")
"""The strong ones of those that go by the posterior, with single shots where layouts are counted.

In a salvo, and where layouts can only be sampled, ``posterior_parity`` plays as ``GREEDY`` does.
"""

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


class Extent(NamedTuple):
    """How much is played.

    Attributes:
        layouts: Layouts that bots are measured on.
        first: Layouts that they are chosen by.
        workers: How many worker processes.
        db: The record.
    """

    layouts: int
    first: int
    workers: int
    db: Path


class Alone(NamedTuple):
    """What one bot did alone.

    Attributes:
        bot: Its name.
        games: Its games.
        turns: Of each.
        adjusted: The same less luck, if that was asked for.
    """

    bot: str
    games: list[Game]
    turns: PerLayout
    adjusted: PerLayout


class Row(NamedTuple):
    """What was found by one set of rules.

    Attributes:
        rules: They.
        thumb: The best rule of thumb.
        bayes: The best bot that goes by the posterior.
        less: By how many turns it is better, paired: less than 0 if it is.
        optimum: The least mean turns there can be, where the game is solved.
        move_ms: The mean processor time of a move of the latter, in milliseconds.
        posterior: How it knew where ships are.
    """

    rules: Rules
    thumb: Alone
    bayes: Alone
    less: Mean
    optimum: float | None
    move_ms: float
    posterior: str

    @property
    def verdict(self) -> str:
        """Return whether the bot by the posterior is better, or why that is not shown."""
        if self.move_ms > MOST_MS:
            return f"no: more than {MOST_MS:g} ms"
        if self.less.high < 0:
            return "yes"
        if self.less.low > 0:
            return "no: worse"
        if self.optimum is not None:
            found = _mean(self.bayes.adjusted, adjusted=why_not_adjusted(self.rules) is None)
            if found.low <= self.optimum:
                return "no: the optimum"
        return "no: undecided"


def by_rules(chosen: Sequence[str], extent: Extent) -> Iterator[str]:
    """Measure the best bot by the posterior and the best rule of thumb, by each set of rules.

    Args:
        chosen: Names of ``GAMES``, in the order in which they are played.
        extent: How much to play.

    Yields:
        A note for each, the table, which bots play what, and the outcome.
    """
    found: dict[str, Row] = {}
    for name in chosen:
        alike = next((row for row in found.values() if _same_alone(row.rules, GAMES[name])), None)
        found[name] = alike or _measure(GAMES[name], extent)
        yield Note(" | ".join(map(str, _cells(name, found[name]))))
    rows = [_cells(name, found[name]) for name in GAMES if name in found]
    yield str(tabulate(rows, headers=HEADS, tablefmt="github", disable_numparse=True))
    yield f"\n{who_plays(GAMES.values())}"
    met = {name: row.verdict for name, row in found.items()}
    yield outcome_line(
        {
            "benchmark": "by-rules",
            "ratio": round(sum(word == "yes" for word in met.values()) / len(met), 3),
            "layouts": extent.layouts,
            "better": met,
        }
    )


def _same_alone(one: Rules, two: Rules) -> bool:
    """Return whether two sets of rules differ only in what games alone do not depend on."""
    same = replace(one, name="", again=False, end="at-once", turn_limit=None, countdown=0)
    return same == replace(two, name="", again=False, end="at-once", turn_limit=None, countdown=0)


def _measure(rules: Rules, extent: Extent) -> Row:
    lucky = why_not_adjusted(rules) is None
    # Rules of thumb differ by far more than luck, which takes longer to work out than they to play.
    best = _best(rules, RULES_OF_THUMB, extent, adjusted=False)
    thumb = _play(rules, best, extent.layouts, MEASURE, extent, adjusted=lucky)
    alike = solo_shots(rules) > 1 or not can_follow(view(rules))
    strong = [bot for bot in BAYESIAN if not (alike and bot == "posterior_parity")]
    best = _best(rules, strong, extent, adjusted=lucky)
    bayes = _play(rules, best, extent.layouts, MEASURE, extent, adjusted=lucky)
    policy = find_policy(view(rules))
    return Row(
        rules,
        thumb,
        bayes,
        _mean(bayes.adjusted - thumb.adjusted, adjusted=lucky),
        None if policy is None else policy.mean_turns,
        _move_ms(bayes.games),
        _how_known(rules, bayes.games[:FOLLOWED]),
    )


def _best(rules: Rules, bots: Sequence[str], extent: Extent, *, adjusted: bool) -> str:
    """Return the bot that takes the fewest turns on the layouts to choose by."""
    able = [bot for bot in bots if plays(bot, rules)]
    if len(able) == 1:
        return able[0]
    found = [_play(rules, bot, extent.first, CHOICE, extent, adjusted=adjusted) for bot in able]
    return min(found, key=lambda one: float(one.adjusted.mean())).bot


def _play(  # noqa: PLR0913 - who plays what, how much of it, into which record
    rules: Rules, bot: str, layouts: int, seed: int, extent: Extent, *, adjusted: bool
) -> Alone:
    """Let a bot play what the record lacks of its layouts, and find its luck."""
    tournament = f"{rules.name} {bot} {seed}"
    with Store(extent.db, create=True) as store:
        entered = play_into(
            store,
            tournament,
            [bot],
            rules=rules,
            layouts=layouts,
            seed=seed,
            workers=extent.workers,
        )
        if adjusted:
            keep_luck(store, entered, extent.workers)
        found = store.luck(tournament, VERSION) if adjusted else {}
        games = sorted(games_in(store, tournament, layouts), key=lambda game: game.fixture.pair)
    turns = np.array([game.tallies[0].turns for game in games], float)
    luck = [found[game.fixture.id].turns if adjusted else 0.0 for game in games]
    return Alone(bot, games, turns, turns - luck)


def _mean(values: PerLayout, *, adjusted: bool) -> Mean:
    """Return a mean with its limits: over layouts, or over blocks of them where luck is gone."""
    if adjusted:
        return adjusted_mean(values)
    found = estimate(values)
    return Mean(found.value, found.low, found.high)


def _move_ms(games: Sequence[Game]) -> float:
    charges = [
        step.charge_s for game in games for step in game.steps if isinstance(step, ShootStep)
    ]
    return float(np.mean(charges)) * 1000


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


def _cells(name: str, row: Row) -> tuple[object, ...]:
    adjusted = " adjusted" if why_not_adjusted(row.rules) is None else ""
    return (
        f"`{name}`" + (f", alone as `{row.rules.name}`" if row.rules.name != name else ""),
        "" if row.optimum is None else f"{row.optimum:.3f}",
        f"`{row.thumb.bot}`",
        str(estimate(row.thumb.turns)),
        f"`{row.bayes.bot}`",
        str(estimate(row.bayes.turns)),
        written(row.less, "+") + adjusted,
        len(row.bayes.turns),
        f"{row.move_ms:.1f}",
        row.posterior,
        row.verdict,
    )
