"""Solves whole games for two on very small boards, hiding included, and what bots lose there.

The first table has the share of games that the first player wins if both play as well as can be,
between exact limits. In the second the best answer to a bot, which knows how it hides and shoots,
plays it in both seats; whoever plays an equilibrium would hold it to one half. Half of the bot's
games are what the answer knows, the other half what it is played against. Bundled bots hide
uniformly on such boards, and do not heed the shots that come in.
Called again, the same command goes on from the games that are done.
"""

import time
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from operator import or_
from pathlib import Path

import click
import numpy as np

from arena.records import Game, ShootStep
from arena.referee import play_bots
from arena.rules import Layout, Rules, mask_of, view
from benchmarks.equilibrium import Solved, bots_of_words, games_of_words, solved_games
from benchmarks.exploits.race import (
    Floats,
    Limits,
    Strategy,
    best_answer,
    share_won,
    solved,
    uniform,
)
from benchmarks.exploits.race_tree import TooManyNodesError, Tree, tree_of
from benchmarks.games.solo_games import every_layout
from benchmarks.kept import Kept
from benchmarks.lines import Note, markdown, outcome_line
from benchmarks.options import kept, option
from bots.tactics.solver.small_game import game_of
from salvo.bundled import bot_class

_GAMES = "1x4:2 1x5:2 1x5:3 1x6:3 1x7:3/2 2x3:2/2 1x5:2+1/2"
_BOTS = "optimal posterior_greedy probability_density hunt_parity"


@dataclass(frozen=True)
class Settings:
    """The options."""

    games: Sequence[Rules] = option(
        _GAMES,
        "Boards such as 1x5:3, or 1x6:3/2 with two shots.",
        type=str,
        callback=games_of_words,
    )
    bots: Sequence[str] = option(_BOTS, "The bots.", type=str, callback=bots_of_words)
    tolerance: float = option(0.005, "How near to each other the limits are to be.", type=float)
    minutes: int = option(20, "How long a game is worked on, at most.")
    nodes: int = option(1_000_000, "The most nodes of a tree; a million take 2 GB.")
    seeds: int = option(100, "Games of each bot at each layout.", 4)
    out: Path = kept("race.jsonl")


def run(settings: Settings) -> Iterator[str]:
    """Yield a table of the games' values, one of the bots, and the outcome."""
    options = f"race {settings.tolerance} {settings.minutes} {settings.seeds}"
    found = yield from solved_games(
        settings.games, settings.bots, options, Kept(settings.out), partial(_solved, settings)
    )
    values = {game.row[0]: [round(limit, 4) for limit in game.limits] for game in found}
    heads = ["game", "layouts", "nodes", "first wins at least", "at most", "rounds"]
    yield markdown([game.row for game in found], heads)
    yield ""
    heads = ["game", "bot", "its best answer wins as first", "as second", "mean"]
    yield markdown([row for game in found for row in game.bots], heads)
    yield outcome_line("race", values=values)


def _solved(settings: Settings, rules: Rules, bots: Sequence[str]) -> Generator[str, None, Solved]:
    """Yield how the limits of a game come nearer; return what was found."""
    game = game_of(view(rules))
    assert game is not None
    try:
        tree = tree_of(game.layouts, game.shots, settings.nodes)
    except TooManyNodesError as error:
        raise click.BadParameter(f"{rules.name!r}: {error}; see --nodes.") from None
    found = yield from _limits(rules.name, tree, settings)
    limits = [f"{found.lower:.1%}", f"{found.upper:.1%}"]
    counts = [str(len(tree.layouts)), f"{tree.nodes:,}"]
    lost = []
    for bot in bots:
        yield Note(f"{rules.name}: {bot}")
        lost.append([rules.name, f"`{bot}`", *_answered(bot, rules, tree, settings.seeds)])
    return Solved(
        (found.lower, found.upper), [rules.name, *counts, *limits, str(found.rounds)], lost
    )


def _limits(name: str, tree: Tree, settings: Settings) -> Generator[str, None, Limits]:
    began = time.monotonic()
    for found in solved(tree):
        yield Note(f"{name}: {found.lower:.4f} to {found.upper:.4f}, {found.rounds} rounds")
        near = found.upper - found.lower <= settings.tolerance
        if near or time.monotonic() > began + 30 * settings.minutes:  # the next take as long again
            break
    return found


def _answered(bot: str, rules: Rules, tree: Tree, seeds: int) -> list[str]:
    """Return what the best answer to a bot wins as first and as second, and on average."""
    layouts = every_layout(rules)
    half = seeds // 2
    known, played = (
        _counted(tree, [_solo(bot, rules, one, seed) for one in layouts for seed in some])
        for some in (range(half), range(half, seeds))
    )
    if known is None or played is None:
        return ["", "", "shoots where no ship can lie"]
    _, as_first = best_answer(tree, _strategy(tree, 1, known), 0)
    _, as_second = best_answer(tree, _strategy(tree, 0, known), 1)
    won = (
        share_won(tree, as_first, _strategy(tree, 1, played)),
        1 - share_won(tree, _strategy(tree, 0, played), as_second),
    )
    return [*(f"{share:.1%}" for share in won), f"{sum(won) / 2:.1%}"]


def _solo(bot: str, rules: Rules, layout: Layout, seed: int) -> tuple[int, Game]:
    game = play_bots([bot_class(bot)()], rules, layout=layout, seeds=(seed, 0))
    assert game.forfeit is None, game.reason
    return sum(layout), game


def _counted(tree: Tree, games: Sequence[tuple[int, Game]]) -> Floats | None:
    """Return how often a bot shot what, by what it knew, in some games.

    None if it shot where no ship could lie, and had other cells.
    """
    counts = np.zeros((len(tree.known), tree.plies[0].legal.shape[1]))
    for layout, game in games:
        at: int | None = 0
        for step in game.steps:
            if isinstance(step, ShootStep):
                assert at is not None
                known = tree.known[at]
                cells = mask_of(step.cells) & reduce(or_, known.actions)
                if cells not in known.actions:
                    return None
                action = known.actions.index(cells)
                counts[at, action] += 1
                at = known.after[action][layout & cells]
    return counts


def _strategy(tree: Tree, player: int, counts: Floats) -> Strategy:
    """Return that a bot hides uniformly, and shoots by chance as often as it did."""
    even = uniform(tree, player)
    totals = counts.sum(axis=1)
    shares = counts / np.maximum(totals, 1)[:, None]
    shoots = []
    for ply, one in zip(tree.plies, even.shoots, strict=True):
        own = ply.known[: len(one), player]
        seen = (totals[own] > 0)[:, None, None]
        shoots.append(np.where(seen, shares[own][:, None], one))
    return Strategy(even.hides, shoots)
