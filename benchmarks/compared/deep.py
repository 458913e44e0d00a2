"""The targets of `deep_salvo`: alone against the bots that count and compute, and what it costs."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from random import Random
from statistics import fmean, median
from typing import Any, NamedTuple

import numpy as np

from arena.entrants import parse_entrant
from arena.environments import Cells
from arena.environments.layout_batches import ships_on_cells
from arena.isolation import Level
from arena.records import Settings as Terms
from arena.rules import Layout, Rules, Ship, draw, preset, view
from arena.tournament import introduce
from benchmarks.compared.targets import Target
from benchmarks.games.alone import every_layout, turns_at
from benchmarks.games.contests import play_solo, play_solo_into
from benchmarks.games.estimates import Estimate, PerLayout, estimate
from benchmarks.lines import Note, aligned
from bots.deep_salvo.bot import DeepSalvo
from bots.posterior_greedy import PosteriorGreedy
from bots.tactics.learned.placement_network import Evidence, FleetPlacements, PlacementNetwork
from bots.tactics.learned.weight_files import Arrays
from bots.tactics.solver.policy import solve
from bots.tactics.solver.small_game import game_of
from bots.tactics.solver.work import Work
from salvo.bundled import bundled_bots
from salvo.reports.work_progress import Progress, no_progress

SEED = 11
BOT = "deep_salvo"
SHOWN = "with_posterior"
BESIDE = (
    f"{SHOWN}={BOT} --posterior",
    "probability_density",
    "posterior_greedy",
    "posterior_parity",
)
SALVO = (BOT, "probability_density", "posterior_greedy")
COMPARED = 1000
"""Layouts of the classic game that the others are measured on, at most."""

MOST_SHOTS = 46.0
AIM_SHOTS = MOST_SHOTS_SHOWN = 45.0

MOST_MOVE_S, MOST_START_S, MOST_MB = 0.005, 0.5, 256
TIMED_GAMES = 10
STARTS = 7

SIX = Rules(
    name="6x6, a ship of 3",
    rows=6,
    columns=6,
    fleet=(Ship("Ship of 3", 3),),
    sinkings="silent",
)
"""Solved in a second; two ships on this board take minutes, and leave greedy almost no gap."""

SMALL: dict[str, Any] = {
    "channels": 16,
    "rounds": 2,
    "side_by_side": 64,
    "batch": 64,
    "positions": 1.0,
    "salvos": 0.0,
    "step": 0.005,
    "finer": 0.001,
}
"""Small batches, so that few games make many steps."""

MOST_GAMES = 2_500
"""Of each stage; a training then takes a quarter of a minute."""

SEEDS = (1, 2, 3)
REPEATS = 5


class Extent(NamedTuple):
    """How much is played.

    Attributes:
        layouts: Common layouts that the bot is measured on; others on ``COMPARED`` of them.
        workers: Blocks of games played in parallel.
        db: The record of the classic games: asked for again, they go on from there.
        progress: Follows what is adjusted.
    """

    layouts: int
    workers: int
    db: Path
    progress: Progress = no_progress


def deep_strength(extent: Extent, found: dict[str, object], targets: list[Target]) -> Iterator[str]:
    """Yield how many shots it takes alone, beside what others take; fill in the outcome.

    Args:
        extent: How much to play.
        found: What is found goes in here.
        targets: The targets go in here.
    """
    yield Note(f"{BOT}: classic alone")
    plain, adjusted = _classic("learning", (BOT,), extent)
    fewer = extent._replace(layouts=min(extent.layouts, COMPARED))
    others, others_adjusted = _classic("learning-beside", BESIDE, fewer)
    rows = [
        [
            f"`{BOT}`",
            f"{extent.layouts:,}",
            *map(str, map(estimate, (plain[BOT], adjusted[BOT]))),
            "",
        ]
    ]
    for bot in others:
        less = estimate(others_adjusted[bot] - adjusted[BOT][: fewer.layouts])
        name = f"{BOT} --posterior" if bot == SHOWN else bot
        cells = [str(estimate(others[bot])), str(estimate(others_adjusted[bot])), _signed(less)]
        rows.append([f"`{name}`", f"{fewer.layouts:,}", *cells])
    heads = ["classic alone", "layouts", "shots", "adjusted for luck", f"less {BOT}'s, paired"]
    yield aligned(rows, heads)
    shown = estimate(others_adjusted[SHOWN])
    gained = estimate(others_adjusted[SHOWN] - others_adjusted["posterior_greedy"])
    yield (
        f"\n`{BOT} --posterior` less `posterior_greedy`, adjusted and paired: {_signed(gained)}.\n"
    )
    layouts, workers = fewer.layouts, extent.workers
    yield Note(f"{BOT}: salvo alone")
    turns = play_solo(SALVO, preset("salvo"), layouts, SEED, workers)
    rows = []
    for bot in SALVO:
        less = estimate(turns[BOT] - turns[bot])
        rows.append([f"`{bot}`", str(estimate(turns[bot])), "" if bot == BOT else _signed(less)])
    yield aligned(rows, ["five shots a turn, alone", "turns", f"{BOT} less it, paired"])
    shots = estimate(adjusted[BOT])
    paired = estimate(turns[BOT] - turns["probability_density"])
    yield f"\nMeans with 95% intervals, in the second table of {layouts:,} common layouts.\n"
    told = str(shots)
    targets += [
        Target(f"`{BOT}`, classic alone, adjusted, shots", what, told, shots.value <= most)
        for what, most in ((f"{MOST_SHOTS}", MOST_SHOTS), (f"aim {AIM_SHOTS}", AIM_SHOTS))
    ]
    name = f"`{BOT} --posterior`, the same"
    told = str(shown)
    targets.append(Target(name, f"{MOST_SHOTS_SHOWN}", told, shown.value <= MOST_SHOTS_SHOWN))
    name = f"`{BOT} --posterior` less `posterior_greedy`, paired, shots"
    targets.append(Target(name, "aim: below 0", _signed(gained), gained.high < 0))
    found["shown_shots"] = round(shown.value, 3)
    found["shown_less_greedy"] = round(gained.value, 3)
    name = f"`{BOT}` less `probability_density`, salvo alone, paired, turns"
    targets.append(Target(name, "interval below 0", _signed(paired), paired.high < 0))
    found["deep_shots"] = round(shots.value, 3)
    found["deep_turns_less_density"] = round(paired.value, 3)
    found["deep_turns_met"] = paired.high < 0


def _classic(
    tournament: str, bots: Sequence[str], extent: Extent
) -> tuple[dict[str, PerLayout], dict[str, PerLayout]]:
    """Return the shots of each bot, layout by layout, and the same less luck."""
    return play_solo_into(
        extent.db,
        tournament,
        bots,
        rules=preset("classic"),
        layouts=extent.layouts,
        seed=SEED,
        workers=extent.workers,
        progress=extent.progress,
    )


def deep_cost(found: dict[str, object], targets: list[Target]) -> Iterator[str]:
    """Yield what a move, a start and the memory cost; fill in the outcome and the targets."""
    yield Note(f"{BOT}: what it costs")
    rules = preset("classic")
    move_s, salvo_s = _time_moves(rules), _time_moves(preset("salvo"))
    program = parse_entrant(BOT, bundled_bots()).program
    starts = []
    for _ in range(STARTS):
        used = _processor_s_of_children()
        introduce(program, rules, Terms(), Level.NONE)
        starts.append(_processor_s_of_children() - used)
    start_s, memory_mb = median(starts), _memory_mb()
    costs = [
        ("a move, one core", move_s * 1000, MOST_MOVE_S * 1000, "ms"),
        ("a salvo of five, one core", salvo_s * 1000, None, "ms"),
        ("to start, one core", start_s, MOST_START_S, "s"),
        ("memory after a game", memory_mb, MOST_MB, "MB"),
    ]
    rows = [
        [what, f"{cost:.3g} {unit}", "" if most is None else f"{most:g} {unit}"]
        for what, cost, most, unit in costs
    ]
    yield aligned(rows, [f"`{BOT}`", "measured", "at most"])
    yield "\nTimes are the processor's, which a busy machine changes little.\n"
    targets += [
        Target(f"`{BOT}`, {what}", f"{most:g} {unit}", f"{cost:.3g} {unit}", cost <= most)
        for what, cost, most, unit in costs
        if most is not None
    ]
    found["deep_move_ms"] = round(move_s * 1000, 2)
    found["deep_salvo_ms"] = round(salvo_s * 1000, 2)
    found["deep_start_s"] = round(start_s, 3)
    found["deep_memory_mb"] = round(memory_mb)


def _time_moves(rules: Rules) -> float:
    """Return the processor time of a move, in seconds."""
    drawn = [draw(rules, Random(seed)) for seed in range(TIMED_GAMES + 1)]
    bot = DeepSalvo()
    turns_at(bot, rules, drawn[:1])  # what is computed once does not count
    started = time.process_time()
    moves = sum(turns_at(bot, rules, drawn[1:]))
    return (time.process_time() - started) / moves


def _processor_s_of_children() -> float:
    """Return the processor time of the processes that this one started and that ended."""
    used = os.times()
    return used.children_user + used.children_system


_PLAYS = f"""
from random import Random
from arena.rules import draw, preset
from bots.{BOT}.bot import DeepSalvo
rules = preset("classic")
from arena.referee import play_bots
play_bots([DeepSalvo()], rules, layout=draw(rules, Random(1)))
from benchmarks.memory import peak_mb
print(peak_mb())
"""


def _memory_mb() -> float:
    """Return the most memory of a process that played one game with the bot, arena and all."""
    done = subprocess.run(
        [sys.executable, "-c", _PLAYS], check=True, stdout=subprocess.PIPE, text=True
    )
    return float(done.stdout)


def gap(games: int, found: dict[str, object]) -> Iterator[str]:
    """Yield how much of the way from greedy to optimal each stage of the training comes.

    Args:
        games: Games that it is taught by, at most ``MOST_GAMES``, and as many again in which it
            improves.
        found: What is found goes in here.
    """
    if find_spec("torch") is None:
        yield "How far each stage comes on 6x6 is not shown: it takes the extra `deep`.\n"
        return
    games = min(games, MOST_GAMES)
    yield Note(f"{SIX.name}: the optimum")
    layouts = every_layout(SIX)
    game = game_of(view(SIX))
    assert game is not None
    optimum = solve(game, Work()).mean_turns
    greedy = fmean(turns_at(PosteriorGreedy(), SIX, layouts * REPEATS))
    stages: dict[str, list[float]] = {"untrained": [], "taught": [], "improved": []}
    for seed in SEEDS:
        yield Note(f"{SIX.name}: training by seed {seed}")
        for stage, turns in zip(stages, _stages(seed, games, layouts), strict=True):
            stages[stage].append(turns)
    rows = [["greedy, exact posterior", "", f"{greedy:.3f}", "0%"]]
    for stage, by_seed in stages.items():
        turns = fmean(by_seed)
        closed = (greedy - turns) / (greedy - optimum)
        seeds = " ".join(f"{turns:.2f}" for turns in by_seed)
        rows.append([f"`{BOT}`, {stage}", seeds, f"{turns:.3f}", f"{closed:.0%}"])
        found[f"gap_{stage}"] = round(closed, 3)
    rows.append(["optimal", "", f"{optimum:.3f}", "100%"])
    yield aligned(rows, [SIX.name, "by seed", "turns", "of the gap closed"])
    yield (
        f"\nMean turns over every one of {len(layouts)} layouts, greedy {REPEATS} times since it "
        "settles ties at random; the network always settles them alike, which can be better. "
        f"By each seed {games:,} games taught, and {games:,} more to improve.\n"
    )


def _stages(seed: int, games: int, layouts: Sequence[Layout]) -> Iterator[float]:
    """Train on 6x6, and yield the mean turns over every layout: untrained, taught, improved."""
    from bots.training.deep_salvo import Settings, Trainer  # noqa: PLC0415 - an extra

    trainer = Trainer(Settings(games=2 * games, taught=games, seed=seed, **SMALL), rules=SIX)
    ships = np.array([ships_on_cells(SIX, layout) for layout in layouts])
    yield _mean_turns(trainer.weights()[1], trainer.places, ships)
    for until in (games, 2 * games):
        while trainer.played < until:
            trainer.learn()
        yield _mean_turns(trainer.weights()[1], trainer.places, ships)


def _mean_turns(arrays: Arrays, places: FleetPlacements, ships: Cells) -> float:
    """Return the mean turns of a network that shoots one cell a turn, sinkings being silent."""
    network = PlacementNetwork(arrays, places)
    turns = 0
    for layout in ships >= 0:
        shot = np.zeros((1, len(layout)), dtype=bool)
        known = Evidence(
            missed=np.zeros_like(shot),
            hit=np.zeros_like(shot),
            sank=np.zeros(shot.shape, dtype=np.int64),
            afloat=np.ones((1, len(places.lengths)), dtype=bool),
        )
        while known.hit.sum() < layout.sum():
            cell = int(np.where(known.untried[0], network.look(known).worth, -np.inf).argmax())
            (known.hit if layout[cell] else known.missed)[0, cell] = True
            turns += 1
    return turns / len(ships)


def _signed(found: Estimate) -> str:
    return f"{found.value:+.3f} ± {found.half:.3f}"
