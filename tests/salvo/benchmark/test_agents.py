"""Who may be named as an agent, and how models and functions are asked for a cell."""

import contextlib
import importlib
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from arena.environments.observation_forms import ObservationForm, Showing
from arena.environments.sight import CHOSEN, duel_space, sight_space
from arena.errors import UserError
from arena.isolation import Level
from arena.records import ShootStep
from salvo.benchmark import agents
from salvo.benchmark.agents import agent_named
from salvo.benchmark.games import Run, games_of
from salvo.benchmark.tasks import TASKS

if TYPE_CHECKING:
    from gymnasium import spaces


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder in which this runs now, an empty one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("hunt_target", "hunt_target"),
        ("mine=hunt_target", "mine"),
        (f"{'m' * 40}=hunt_target", "m" * 40),
        ("0.a_b-c=hunt_target", "0.a_b-c"),
        ("own.py", "own"),
        ("mine=own.py", "mine"),
        ("python own.py", "python own.py"),
        ("python own.py".ljust(100, " "), "python own.py".ljust(100, " ")),
        ("mine=python own.py " + 100 * "x", "mine"),
        ("functions.py:first", "first"),
        ("mine=functions.py:first", "mine"),
    ],
)
def test_agent_is_called_as_it_is_named(folder: Path, words: str, name: str) -> None:
    (folder / "own.py").write_text("from arena import Bot, run\nrun(Bot)\n", encoding="utf-8")
    functions = "def first(seen, mask):\n    return 0\n"
    (folder / "functions.py").write_text(functions, encoding="utf-8")
    assert agent_named(words).name == name


@pytest.mark.parametrize(
    "text", [f"{'m' * 41}=hunt_target", "-a=PPO:model.zip", "a b=mine.py", "a/b=mine.py:choose"]
)
def test_name_that_an_agent_may_not_have_is_refused(folder: Path, text: str) -> None:
    (folder / "mine.py").touch()
    with pytest.raises(UserError) as refused:
        agent_named(text)
    assert str(refused.value) == (
        f"agent {text.partition('=')[0]!r}: a name has at most 40 letters, digits, dots, dashes "
        "and underscores, and begins with a letter or a digit"
    )


def test_name_of_more_than_a_hundred_characters_is_too_long(folder: Path) -> None:
    (folder / "own.py").touch()
    with pytest.raises(UserError) as refused:
        agent_named("python own.py".ljust(101, "x"))
    told = f"agent {'python own.py'.ljust(40, 'x')}...: its name is too long; give one, NAME=AGENT"
    assert str(refused.value) == told


class Tensor:
    """Stands in for a tensor of numbers, a row a board."""

    def __init__(self, values: Any) -> None:  # noqa: ANN401 - any array
        self.values = np.asarray(values)

    def __getitem__(self, row: int) -> "Tensor":
        return Tensor(self.values[row])

    def mean(self, dim: int) -> "Tensor":
        return Tensor(self.values.mean(axis=dim))

    def cpu(self) -> "Tensor":
        return self

    def numpy(self) -> Any:  # noqa: ANN401 - an array
        return self.values


PREFERENCES = np.array([[0.5, 3, 0, 9, 1, 8, 2, 4, 7, 6]])  # of each cell of a row


def preferring(kind: str, space: "spaces.Space[Any]", cells: int = 10) -> SimpleNamespace:
    """Return what stands in for a model, and notes what it is shown."""
    model = SimpleNamespace(observation_space=space, action_space=SimpleNamespace(n=cells), seen=[])

    def to_tensor(shown: Any) -> tuple[Any, bool]:  # noqa: ANN401 - as it is shown
        model.seen.append(shown)
        return shown, True

    model.policy = SimpleNamespace(obs_to_tensor=to_tensor)
    if kind == "q":
        model.q_net = lambda _: Tensor(PREFERENCES)
    elif kind == "quantiles":
        model.quantile_net = lambda _: Tensor(PREFERENCES[:, None] + [[[1], [-1]]])
    else:
        logits = SimpleNamespace(distribution=SimpleNamespace(logits=Tensor(PREFERENCES)))
        model.policy.get_distribution = lambda _: logits
    return model


@pytest.fixture
def load(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[SimpleNamespace], str]:
    """Return a function that makes a model the content of a file, and returns the agent's words."""
    (tmp_path / "model.zip").write_bytes(b"content")
    imported = importlib.import_module

    def loaded(model: SimpleNamespace) -> str:
        packages = {
            "torch": SimpleNamespace(no_grad=contextlib.nullcontext),
            "sb3_contrib": SimpleNamespace(
                QRDQN=SimpleNamespace(load=lambda _, device: device == "cpu" and model)
            ),
        }
        monkeypatch.setattr(agents, "find_spec", packages.get)
        monkeypatch.setattr(importlib, "import_module", lambda n: packages.get(n) or imported(n))
        return f"QRDQN:{tmp_path / 'model.zip'}"

    return loaded


@pytest.mark.parametrize("kind", ["q", "quantiles", "logits"])
@pytest.mark.parametrize("form", ["dict", "planes", "flat"])
def test_model_is_shown_what_it_was_trained_on_and_shoots_where_it_prefers_to(
    load: Callable[[SimpleNamespace], str], kind: str, form: ObservationForm
) -> None:
    task = TASKS["row-10-3"]
    showing = Showing(sight_space(task.rules), form)
    model = preferring(kind, showing.space)
    agent = agent_named(load(model))
    assert (agent.name, agent.kind) == ("QRDQN", "model")
    assert agent.digest == "ed7002b439e9ac845f22357d822bac1444730fbdb6016d3ec9432297b9ec9f73"
    (game,) = games_of(agent, task, [4], Run())
    shot = [step.cells for step in game.steps if isinstance(step, ShootStep)]
    assert shot == [(3,), (5,), (8,), (9,), (7,), (1,), (6,), (4,)]
    assert len(model.seen) == len(shot)
    assert all(showing.space.contains(shown) for shown in model.seen)


@pytest.mark.parametrize(
    ("task", "space", "cells", "environment"),
    [
        ("row-10-3", sight_space(TASKS["classic"].rules), 10, "Solo"),
        ("row-10-3", sight_space(TASKS["row-10-3"].rules), 9, "Solo"),
        ("duel", sight_space(TASKS["duel"].rules), 100, "Duel"),
        ("salvo", duel_space(TASKS["duel"].rules), 100, "Solo"),
    ],
)
def test_model_of_another_game_is_refused(
    load: Callable[[SimpleNamespace], str],
    task: str,
    space: "spaces.Space[Any]",
    cells: int,
    environment: str,
) -> None:
    agent = agent_named(load(preferring("q", space, cells)))
    told = f"not trained on salvo/{environment}-v0 by the rules '{TASKS[task].rules.name}'"
    with pytest.raises(UserError, match=told), agent.playing(TASKS[task], Level.NONE):
        pass


def test_model_whose_package_is_not_installed_says_what_to_install(
    load: Callable[[SimpleNamespace], str],
) -> None:
    load(SimpleNamespace())
    with pytest.raises(UserError) as refused:
        agent_named("PPO:model.zip")
    assert str(refused.value) == (
        "agent PPO:model.zip: stable_baselines3 is not installed; `pip install stable-baselines3`"
    )


@pytest.mark.parametrize(
    ("cells", "reason"),
    [
        ([-1], "cell -1 is off the board"),
        ([10], "cell 10 is off the board"),
        ([0, 0], "cell 0 was already shot"),
    ],
)
def test_cell_that_may_not_be_shot_forfeits_with_the_reason(
    tmp_path: Path, cells: list[int], reason: str
) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        f"cells = iter({cells})\ndef choose(seen, mask):\n    return next(cells)\n",
        encoding="utf-8",
    )
    (game,) = games_of(agent_named(f"{file}:choose"), TASKS["row-10-3"], [7], Run())
    assert reason in game.reason


def test_function_sees_cell_by_cell_what_it_knows_of_both_boards(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        "seen_so_far = []\n"
        "def choose(seen, mask):\n"
        "    seen_so_far.append((seen, mask))\n"
        "    return int(mask.argmax())\n",
        encoding="utf-8",
    )
    (game,) = games_of(agent_named(f"{file}:choose"), TASKS["duel"], [0], Run())
    seen = sys.modules["_agent_mine"].seen_so_far
    own = np.zeros(100)
    own[[cell for cells in game.layouts["first"].values() for cell in cells]] = 1
    salvos: dict[str, list[tuple[int, ...]]] = {"first": [], "second": []}
    for step in game.steps:
        if isinstance(step, ShootStep):
            salvos[step.seat].append(step.cells)
    cells = np.arange(100)
    answers = iter(seen)
    for turn, salvo in enumerate(salvos["first"]):
        heard = [cell for salvo in salvos["second"][:turn] for cell in salvo]
        for place, cell in enumerate(salvo):
            shown, mask = next(answers)
            assert (shown["own"].ravel() == own).all()
            assert (shown["incoming"].ravel() == np.isin(cells, heard)).all()
            assert mask.tolist() == (cells >= cell).tolist()
            chosen = cells[shown["board"].ravel() == CHOSEN]
            assert chosen.tolist() == list(salvo[:place])
    assert next(answers, None) is None
