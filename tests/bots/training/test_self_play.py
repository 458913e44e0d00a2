"""self_play learns the whole game; `tox -e deep` has PyTorch."""

import numpy as np
import pytest

pytest.importorskip("torch", reason="PyTorch is not installed; tox -e deep has it")

from arena.rules import cells_of
from bots.training.duels import Duel
from bots.training.self_play import EVERY, Settings, Trainer

FEW = {"side_by_side": 3, "selves": 1}


def test_there_is_an_earlier_self_more_every_few_rounds() -> None:
    trainer = Trainer(Settings(games=3 * EVERY, **FEW))
    points = [point for _ in range(EVERY) for point in trainer.learn()]
    assert len(points) == 3 * EVERY
    assert set(points) <= {0, 1}
    first, last = trainer.earlier
    assert (first["one_0"] != last["one_0"]).any()
    assert (first["placing_places"] != last["placing_places"]).any()


def test_it_is_taught_where_the_ships_lay() -> None:
    trainer = Trainer(Settings(games=6, **FEW))
    _, duels = trainer._begin(3)
    for duel, places in zip(duels, trainer._lie(duels), strict=True):
        ships = duel.opponents_ships()
        for ship, (mask, place) in enumerate(zip(ships, places, strict=True)):
            covered = np.flatnonzero(trainer.places.covers[ship, place])
            assert covered.tolist() == cells_of(mask)


def test_layouts_are_compared_with_those_against_the_same_opponent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    trainer = Trainer(Settings(games=6, **FEW))
    drawn, duels = trainer._begin(3)
    monkeypatch.setattr(Duel, "won", property(lambda duel: duels.index(duel) >= 3))
    monkeypatch.setattr(Duel, "margin", property(lambda duel: float(duels.index(duel) == 4)))
    merits = []
    monkeypatch.setattr(trainer.hiding, "step", lambda *given: merits.extend(given[1]))
    trainer._learn_to_hide(drawn, duels, 3)
    # Each bot was met once, so that its game says nothing; of the selves the second did better.
    assert merits[:3] == [0, 0, 0]
    assert merits[4] > 0 > merits[3] == merits[5]
