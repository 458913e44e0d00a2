"""Solves hiding and searching on small boards, and how far from that bots search.

The value is the mean number of turns if both sides play as well as can be. It is found between
limits that are exact; the solver's time grows fast with the board. Each bot plays alone, at every
layout by several seeds: what it takes at the class of layouts that is hardest for it, less the
value, is the most that a hider can gain who knows it. All bundled bots hide uniformly on such
boards; what the optimum against that is below the value, they lose by it.
Called again, the same command goes on from the games that are done.
"""

import re
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NamedTuple

import click
import numpy as np

from arena.referee import play_bots
from arena.rules import PRESETS, Layout, Rules, Ship, preset, view
from benchmarks.exploits.hide_and_seek import Limits, classes_of, solved
from benchmarks.games.estimates import Estimate, estimate
from benchmarks.games.matches import plays
from benchmarks.games.solo_games import every_layout
from benchmarks.kept import Kept
from benchmarks.lines import Note, markdown, outcome_line
from benchmarks.options import bundled, kept, option
from bots.tactics.solver.policy import solve
from bots.tactics.solver.small_game import Game, Work, game_of
from salvo.bundled import bot_class

_GAMES = "row-10-3 4x4:2 square-5-3 6x6:3 3x4:2+2 4x4:3+2 ramesh-3 ramesh-4"
_BOTS = "optimal value_search posterior_greedy probability_density hunt_target"


def rules_of(text: str) -> Rules:
    """Return the rules of a preset, or of a board such as "4x5:3+2", or "1x7:3/2" with two shots.

    Raises:
        click.BadParameter: If it is neither, or too large.
        RulesError: If the fleet has no room.
    """
    found = re.fullmatch(r"([1-9])x([1-9]):([1-9](?:\+[1-9])*)(?:/([1-9]))?", text)
    if found:
        lengths = [int(length) for length in found[3].split("+")]
        fleet = tuple(Ship(f"Ship {n}", length) for n, length in enumerate(lengths, 1))
        rows, columns = int(found[1]), int(found[2])
        shots = int(found[4] or 1)
        rules = Rules(
            name=text, rows=rows, columns=columns, fleet=fleet, shots=shots, sinkings="silent"
        )
    elif text in PRESETS:
        rules = preset(text)
    else:
        raise click.BadParameter(f"{text!r}: give presets, or boards such as 4x5:3+2.")
    if game_of(view(rules)) is None:
        raise click.BadParameter(f"{text!r}: too large, or of another kind than small games.")
    return rules


def games_of_words(_context: click.Context, _parameter: click.Parameter, text: str) -> list[Rules]:
    """Return the rules of each word, as the callback of an option."""
    return [rules_of(word) for word in text.split()]


def bots_of_words(
    _context: click.Context, _parameter: click.Parameter, text: str
) -> tuple[str, ...]:
    """Return the bundled bots of some words, as the callback of an option."""
    return bundled(tuple(text.split()))


@dataclass(frozen=True)
class Settings:
    """The options."""

    games: Sequence[Rules] = option(
        _GAMES, "Presets, or boards such as 4x5:3+2.", type=str, callback=games_of_words
    )
    bots: Sequence[str] = option(_BOTS, "The bots.", type=str, callback=bots_of_words)
    tolerance: float = option(0.005, "How near to each other the limits are to be.", type=float)
    minutes: int = option(10, "How long a game is worked on, at most.")
    seeds: int = option(20, "Games of each bot at each layout.", 4)
    out: Path = kept("equilibrium.jsonl")


class Solved(NamedTuple):
    """A game's limits, its row of the first table, and its bots' rows of the second."""

    limits: tuple[float, float]
    row: list[str]
    bots: list[list[str]]


def run(settings: Settings) -> Iterator[str]:
    """Yield a table of the games' values, one of the bots, and the outcome."""
    options = f"equilibrium {settings.tolerance} {settings.minutes} {settings.seeds}"
    found = yield from solved_games(
        settings.games, settings.bots, options, Kept(settings.out), partial(_solved, settings)
    )
    values = {game.row[0]: [round(limit, 4) for limit in game.limits] for game in found}
    heads = ["game", "layouts", "classes", "optimum if uniform", "at least", "at most", "ways"]
    yield markdown([game.row for game in found], heads)
    yield ""
    heads = ["game", "bot", "uniform layouts", "its hardest class", "more than the value"]
    yield markdown([row for game in found for row in game.bots], heads)
    yield outcome_line("equilibrium", values=values)


def solved_games(
    games: Sequence[Rules],
    bots: Sequence[str],
    options: str,
    kept: Kept,
    find: Callable[[Rules, list[str]], Generator[str, None, Solved]],
) -> Generator[str, None, list[Solved]]:
    """Yield how far the work is on the games that are not kept yet; return all of them.

    Args:
        options: What else a finding depends on, in words.
        find: Solves a game, and lets those bots play it that can.
    """
    found = []
    for rules in games:
        able = [bot for bot in bots if plays(bot, rules)]
        words = ", ".join([options, rules.name, *able])
        game = kept.get(words, Solved)
        if game is None:
            game = yield from find(rules, able)
            kept.keep(words, game)
        found.append(game)
    return found


def _solved(settings: Settings, rules: Rules, bots: Sequence[str]) -> Generator[str, None, Solved]:
    """Yield how the limits of a game come nearer; return what was found."""
    game = game_of(view(rules))
    assert game is not None
    found = yield from _limits(rules.name, game, settings)
    uniform = solve(game, Work()).mean_turns
    counts = [str(len(set(game.layouts))), str(len(classes_of(game)))]
    limits = [f"{found.lower:.3f}", f"{found.upper:.3f}"]
    row = [rules.name, *counts, f"{uniform:.3f}", *limits, str(found.ways)]
    distances = []
    for bot in bots:
        yield Note(f"{rules.name}: {bot}")
        own, worst = _searched(bot, rules, game, settings.seeds)
        lost = f"{worst.value - found.upper:+.2f} ± {worst.half:.2f}"
        distances.append([rules.name, f"`{bot}`", own, f"{worst:.2f}", lost])
    return Solved((found.lower, found.upper), row, distances)


def _limits(name: str, game: Game, settings: Settings) -> Generator[str, None, Limits]:
    began = time.monotonic()
    for found in solved(game, settings.tolerance):
        yield Note(f"{name}: {found.lower:.4f} to {found.upper:.4f}, {found.ways} ways to shoot")
        if time.monotonic() > began + 60 * settings.minutes:
            break
    return found


def _searched(bot: str, rules: Rules, game: Game, seeds: int) -> tuple[str, Estimate]:
    """Return what a bot takes at all layouts, and at its hardest class.

    Which class that is, half of the seeds say; what it takes, the other half.
    """
    ships = {sum(layout): layout for layout in every_layout(rules)}
    classes = [[ships[cells] for cells in one] for one in classes_of(game)]
    turns = [np.array([_turns(bot, rules, one, seed) for seed in range(seeds)]) for one in classes]
    half = seeds // 2
    hardest = max(range(len(classes)), key=lambda number: turns[number][:half].mean())
    sizes = [len(one) for one in classes]
    mean = np.average([one.mean() for one in turns], weights=sizes)
    return f"{mean:.2f}", estimate(turns[hardest][half:].mean(axis=1))


def _turns(bot: str, rules: Rules, layouts: Sequence[Layout], seed: int) -> list[int]:
    """Return what a new bot takes at each of some layouts."""
    make = bot_class(bot)
    games = [play_bots([make()], rules, layout=one, seeds=(seed, 0)) for one in layouts]
    assert all(game.forfeit is None for game in games)
    return [game.tallies[0].turns for game in games]
