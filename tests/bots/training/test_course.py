"""Every trainer: the same weights from the same seed, kills that cost nothing, a bot at the end."""

import csv
import importlib
import signal
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from arena.entrants import parse_entrant
from arena.errors import RulesError, UserError
from arena.rules import Rules, preset
from bots.tactics.learned.weight_files import read_weights
from bots.training import landy
from bots.training.agent import LearningAgent
from bots.training.course import run_course
from bots.training.curve import running_mean

SHORT: dict[str, dict[str, Any]] = {
    "actor_critic": {"games": 320, "rules": "ramesh-4"},
    "landy": {"games": 400},
    "q_learning": {"games": 40, "rules": "square-5-3"},
    "ramesh": {"games": 400, "rules": "ramesh-3"},
}

if find_spec("torch") is not None:  # `tox -e deep` has it
    SHORT["deep_salvo"] = {
        "games": 96,
        "taught": 48,
        "rules": "ramesh-2",
        "side_by_side": 16,
        "channels": 8,
        "rounds": 2,
    }
    SHORT["deep_adjusted"] = {
        "games": 12,
        "taught": 4,
        "boards": 16,
        "moves": 8,
        "batch": 64,
        "channels": 8,
        "rounds": 2,
    }
    SHORT["deep_posterior"] = {"games": 8, "side_by_side": 2, "sets": 1, "looks": 1}
    SHORT["deep_trials"] = {"games": 4, "a_round": 1, "looks": 1}
    SHORT["self_play"] = {"games": 12, "side_by_side": 2, "selves": 1}

KILLED = """
import os, signal, sys
from pathlib import Path
from bots.training.course import run_course
from bots.training.{name} import Settings, Trainer

trainer = Trainer(Settings(**{settings!r}))
for number, _ in enumerate(run_course(trainer, Path(sys.argv[1]), "test", checkpoint_s=0)):
    if number == 3:
        os.kill(os.getpid(), signal.SIGKILL)
"""


def make(name: str, **settings: Any) -> LearningAgent:  # noqa: ANN401 - what each trainer has
    module = importlib.import_module(f"bots.training.{name}")
    trainer: LearningAgent = module.Trainer(module.Settings(**SHORT[name] | settings))
    return trainer


def train(trainer: LearningAgent, folder: Path) -> dict[str, Any]:
    for _ in run_course(trainer, folder, "test"):
        pass
    (path,) = (folder / "bot").glob("*.npz")
    return read_weights(path)[0]


@pytest.mark.parametrize("name", SHORT)
def test_the_same_seed_gives_the_same_weights(name: str, tmp_path: Path) -> None:
    one, two = (train(make(name), tmp_path / which) for which in ("one", "two"))
    assert {part: values.tolist() for part, values in one.items()} == {
        part: values.tolist() for part, values in two.items()
    }


@pytest.mark.parametrize("name", SHORT)
def test_another_seed_gives_other_weights(name: str, tmp_path: Path) -> None:
    one, two = (train(make(name, seed=seed), tmp_path / str(seed)) for seed in (1, 2))
    assert any((one[part] != two[part]).any() for part in one)


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        *((name, {}) for name in SHORT),
        ("q_learning", {"features": "identity"}),
        ("ramesh", {"convolution": 2, "sunk": True, "fleet": True}),
    ],
)
def test_a_killed_course_goes_on_as_if_it_had_not_been(
    name: str, settings: dict[str, Any], tmp_path: Path
) -> None:
    code = KILLED.format(name=name, settings=SHORT[name] | settings)
    done = subprocess.run([sys.executable, "-c", code, tmp_path / "killed"], check=False)
    assert done.returncode == -signal.SIGKILL
    assert not (tmp_path / "killed" / "bot").exists()
    resumed = train(make(name, **settings), tmp_path / "killed")
    whole = train(make(name, **settings), tmp_path / "whole")
    assert {part: values.tolist() for part, values in resumed.items()} == {
        part: values.tolist() for part, values in whole.items()
    }


def test_a_checkpoint_of_other_settings_is_refused(tmp_path: Path) -> None:
    train(make("landy"), tmp_path)
    with pytest.raises(UserError, match=r"checkpoint .*made with seed 1, now 2; name another"):
        train(make("landy", seed=2), tmp_path)


def test_weights_say_where_they_come_from(tmp_path: Path) -> None:
    train(make("ramesh"), tmp_path)
    arrays, origin = read_weights(tmp_path / "bot" / "ramesh-3.npz")
    assert arrays["output"].shape == (16, 120)
    assert (origin.command, origin.seed, origin.games) == ("test", 1, 400)
    assert len(origin.code) == 64
    assert len(origin.date) == 10


def test_other_weights_are_another_bot(tmp_path: Path) -> None:
    train(make("landy"), tmp_path)
    before = parse_entrant(str(tmp_path / "bot"), {})
    (tmp_path / "checkpoint.npz").unlink()
    train(make("landy", seed=2), tmp_path)
    assert parse_entrant(str(tmp_path / "bot"), {}).digest != before.digest


def test_weights_that_hold_objects_are_refused(tmp_path: Path) -> None:
    np.savez(tmp_path / "bad.npz", origin=np.array([object()]))
    with pytest.raises(ValueError, match="pickle"):
        read_weights(tmp_path / "bad.npz")


def test_the_curve_is_a_table_and_a_page(tmp_path: Path) -> None:
    train(make("landy"), tmp_path)
    with (tmp_path / "curve.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == ["games", "seconds", "mean_turns", "low", "high"]
    assert int(rows[-1]["games"]) == 400
    assert "plotly" in (tmp_path / "curve.html").read_text(encoding="utf-8")


def test_the_running_mean_is_that_of_the_last_games() -> None:
    turns = [8, 6, 4, 4, 2, 2, 4, 8, 6, 4]
    columns = running_mean(turns, [float(number) for number in range(10)])
    assert columns["games"].tolist() == list(range(2, 11))
    assert columns["mean_turns"].tolist() == [7, 5, 4, 3, 2, 3, 6, 7, 5]
    assert columns["seconds"][0] == 1
    half = 1.959964 * np.std([8, 6]) / np.sqrt(1)
    assert columns["high"][0] - 7 == pytest.approx(half)


@pytest.mark.parametrize(
    ("name", "rules"),
    [("landy", "ramesh-3"), ("ramesh", "salvo"), ("actor_critic", "apart"), ("q_learning", "afp")],
)
def test_rules_that_an_agent_cannot_learn_are_refused(name: str, rules: str) -> None:
    with pytest.raises(RulesError, match=f"rules '{rules}'"):
        make(name, rules=rules)


@pytest.mark.parametrize(
    ("rules", "file"),
    [
        (preset("row-5-3"), "row-5-3.npz"),
        (replace(preset("row-5-3"), name="mine"), "mine.npz"),
        (replace(preset("row-5-3"), sinkings="named"), "row-5-3-changed.npz"),
    ],
)
def test_weights_are_named_after_a_preset_only_if_they_are_for_its_rules(
    rules: Rules, file: str, tmp_path: Path
) -> None:
    train(landy.Trainer(landy.Settings(**SHORT["landy"]), rules), tmp_path)
    assert [path.name for path in (tmp_path / "bot").glob("*.npz")] == [file]
