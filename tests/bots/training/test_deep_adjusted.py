"""deep_salvo improves by games whose luck is taken away; `tox -e deep` has PyTorch."""

from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

pytest.importorskip("torch", reason="PyTorch is not installed; tox -e deep has it")

import torch

from arena.errors import RulesError, UserError
from arena.rules import Rules, preset
from benchmarks.games.estimates import estimate
from bots.tactics.learned.placement_network import Evidence, FleetPlacements
from bots.training.deep_adjusted import Settings, Trainer
from bots.training.deep_boards import CHOSEN, HIT, MISSED, UNTRIED, Boards, Known, Sight
from bots.training.judged_network import adjusted

PLACES = FleetPlacements(6, 6, [4, 3, 2], named=True)
NUMBER = 100
SMALL: dict[str, Any] = {
    "channels": 8,
    "rounds": 2,
    "boards": 128,
    "batch": 128,
    "moves": 8,
    "step": 0.005,
}


def small_game() -> Rules:
    return replace(preset("ramesh-2"), name="named", sinkings="named")


def evidence_of(known: Known) -> Evidence:
    seen = known.seen.numpy()
    missed = (seen == MISSED) | (seen == CHOSEN)
    return Evidence(missed, seen == HIT, known.sank.numpy(), known.left.numpy() > 0)


@pytest.mark.parametrize("salvos", [0, NUMBER])
def test_boards_are_seen_as_the_bot_sees_them(salvos: int) -> None:
    draw = torch.Generator().manual_seed(1)
    boards = Boards(PLACES, NUMBER, salvos, draw)
    sight = Sight(PLACES, torch.device("cpu"))
    all_turns: list[int] = []
    every = np.arange(NUMBER)[:, None], np.arange(3)
    for _ in range(100):
        known = evidence_of(boards.known)
        assert (sight.planes(boards.known).flatten(2).numpy() == known.planes()).all()
        possible = sight.penalties(boards.known).numpy() == 0
        assert (possible == PLACES.possible(known)).all()
        assert possible[*every, boards.places.numpy()][boards.teaches.numpy()].all()
        ships = boards.ships.numpy()
        assert (PLACES.numbers_of(np.where(ships == 3, -1, ships)) == boards.places.numpy()).all()
        assert (np.sort(ships, axis=1)[:, :9] == np.repeat(range(3), PLACES.lengths)).all()
        cells = torch.rand((NUMBER, 36), generator=draw) * (boards.known.seen == UNTRIED)
        there = ships[np.arange(NUMBER), cells.argmax(dim=1)] < 3
        missed, _, turns = boards.shoot(cells.argmax(dim=1), draw)
        assert (missed.numpy() == ~there).all()
        all_turns += turns.tolist()
    # By chance the last of 9 cells among 36 is hit by shot 9 * 37 / 10 on average.
    shots = 3 if salvos else 1
    assert np.mean(all_turns) == pytest.approx(33.3 / shots, rel=0.05)


def test_luck_is_what_an_answer_cost_beyond_what_the_shot_was_expected_to() -> None:
    # A shot hits by half. Then the game is over; else 4 misses are left, and that one.
    now, hit, miss = torch.full((2,), 2.0), torch.zeros(2), torch.full((2,), 4.0)
    chance, over = torch.full((2,), 0.5), torch.tensor([True, False])
    missed, last = torch.tensor([False, True]), torch.full((2,), 4.0)
    worth, before, after = adjusted([(now, hit, miss, chance, over)], [missed], last, 0.9)
    # It costs 2.5 misses whether it hits or not, half of one more than was expected.
    assert worth.tolist() == [-0.5, -0.5]
    assert before.tolist() == [2.5, 2.5]
    assert after.tolist() == [0, 4]


def test_taught_and_improved_it_needs_fewer_shots() -> None:
    trainer = Trainer(Settings(games=6000, taught=3000, **SMALL), small_game())
    turns: list[int] = []
    while trainer.played < trainer.settings.games:
        turns += trainer.learn()
    assert len(turns) == trainer.settings.games
    assert estimate(map(float, turns[-600:])).high < estimate(map(float, turns[:600])).low


def test_ships_that_sink_silently_are_refused() -> None:
    with pytest.raises(RulesError, match="this agent learns where sinkings are named"):
        Trainer(Settings(rules="ramesh-2"))


def test_share_of_salvos_leaves_some_boards() -> None:
    what = r"--salvos 1\.0: give a share from 0 to 1 that leaves some of the 8 boards"
    with pytest.raises(UserError, match=what):
        Trainer(Settings(boards=8, salvos=1.0))


@pytest.mark.skipif(torch.cuda.is_available(), reason="this is about a machine without a GPU")
def test_device_that_is_not_there_is_refused() -> None:
    what = "--device cuda: PyTorch finds no GPU; leave --device out"
    with pytest.raises(UserError, match=what):
        Trainer(Settings(boards=8, device="cuda"))
