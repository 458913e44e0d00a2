"""Trains `deep_salvo` on a small board; finds how far each stage comes from greedy to optimal."""

from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from statistics import fmean
from typing import Any

import numpy as np

from arena.environments import Cells
from arena.environments.layout_batches import ships_on_cells
from arena.rules import Layout, Rules, Ship, view
from benchmarks.games.solo_games import every_layout, turns_at
from benchmarks.lines import Note, aligned
from bots.posterior_greedy import PosteriorGreedy
from bots.tactics.learned.placement_network import Evidence, FleetPlacements, PlacementNetwork
from bots.tactics.learned.weight_files import Arrays
from bots.tactics.solver.policy import solve
from bots.tactics.solver.small_game import Work, game_of

SIX = Rules(
    name="6x6, a ship of 3", rows=6, columns=6, fleet=(Ship("Ship of 3", 3),), sinkings="silent"
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


def gap(games: int, found: dict[str, Any]) -> Iterator[str]:
    """Yield how much of the way from greedy to optimal each stage of the training comes.

    It is taught by so many games, ``MOST_GAMES`` at most, and improves in as many again. ``found``
    is filled with the share of the way, by stage.
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
        rows.append([f"`deep_salvo`, {stage}", seeds, f"{turns:.3f}", f"{closed:.0%}"])
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
    for until in (0, games, 2 * games):
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
