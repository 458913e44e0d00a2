"""Makes players of what a row of the benchmark names: a bot, a trained model, a function.

An agent is written as ``[NAME=]AGENT``, where AGENT is a bot as anywhere else; or
``ALGORITHM:FILE.zip``, a model that Stable-Baselines3 or sb3-contrib saved, as ``PPO:ppo-1.zip``;
or ``FILE.py:FUNCTION``, which is called with an observation of ``SoloEnv``, in a task for two of
``AgainstBotEnv``, and its action mask, and returns a cell.
"""

import hashlib
import importlib
import importlib.util
import operator
import re
import shlex
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any, SupportsIndex, get_args

import numpy as np
from numpy.typing import NDArray

from arena.bot import Bot
from arena.entrants import Copies, parse_entrant
from arena.environments.observation_forms import ObservationForm, Showing, Shown
from arena.environments.sight import Sight, duel_space, sight_space
from arena.errors import UserError
from arena.isolation import Level, Program
from arena.player import UNHURRIED, InProcessPlayer, Player, program_player
from arena.records import Settings
from arena.rules import CellsReport, Rules, RulesView, view
from salvo.benchmark.tasks import Task
from salvo.bundled import bot_class, bundled_bots

Chooser = Callable[[dict[str, NDArray[np.int8]], NDArray[np.int8]], int]
"""Chooses a cell by what is seen and the mask of the cells that may be shot."""

ALGORITHMS = {
    **dict.fromkeys(("A2C", "DQN", "PPO"), "stable_baselines3"),
    **dict.fromkeys(("MaskablePPO", "QRDQN", "TRPO"), "sb3_contrib"),
}
"""The package of each algorithm whose models can be read."""

_NAME = re.compile(r"(?P<name>[A-Za-z0-9][\w.-]{0,39})=(?P<agent>.+)", re.DOTALL)
_MODEL = re.compile(r"(?P<algorithm>\w+):(?P<file>.+\.zip)")
_LONGEST = 100
_FUNCTION = re.compile(r"(?P<file>.+\.py):(?P<function>[A-Za-z_]\w*)")


@dataclass(frozen=True)
class Agent:
    """Who is evaluated.

    Attributes:
        name: What the table calls it.
        kind: "bot", "model" or "function".
        digest: The SHA-256 of what it plays by.
    """

    name: str
    kind: str
    digest: str
    _player: Callable[[Task, Level, ExitStack], Player]

    @contextmanager
    def playing(self, task: Task, level: Level) -> Iterator[Player]:
        """Return a player of this agent that remembers nothing; it is stopped at the end."""
        with ExitStack() as ending:
            player = self._player(task, level, ending)
            ending.callback(player.stop)
            yield player


def agent_named(text: str) -> Agent:
    """Return the agent that a text names.

    Raises:
        UserError: If it names nothing that can be played.
    """
    named = _NAME.fullmatch(text)
    name, words = (named["name"], named["agent"]) if named else ("", text)
    if not named:
        _refuse_name(text)
    if model := _MODEL.fullmatch(words):
        return _of_model(name, model["algorithm"], Path(model["file"]))
    if function := _FUNCTION.fullmatch(words):
        return _of_function(name, Path(function["file"]), function["function"])
    return _of_bot(name, words)


def _refuse_name(text: str) -> None:
    """Refuse a text that gives an agent a name which it may not have."""
    name, _, words = text.partition("=")
    forms = (_MODEL, _FUNCTION)
    is_agent = words in bundled_bots() or any(form.fullmatch(words) for form in forms)
    if words and (is_agent or Path(words).exists()):
        raise UserError(
            f"agent {name!r}: a name has at most 40 letters, digits, dots, dashes and underscores, "
            "and begins with a letter or a digit"
        )


def _of_bot(name: str, words: str) -> Agent:
    entrant = parse_entrant(words, bundled_bots())
    if words in bundled_bots():
        # What comes with Salvo is trusted, and plays several times as fast without a process.
        def in_this_process(task: Task, level: Level, ending: ExitStack) -> Player:
            del level, ending
            return InProcessPlayer(bot_class(words), _view(task), UNHURRIED)

        return Agent(name or words, "bot", entrant.digest, in_this_process)

    def in_its_own(task: Task, level: Level, ending: ExitStack) -> Player:
        program = ending.enter_context(Copies([entrant])).bots[entrant.name]
        assert isinstance(program, Program)
        return program_player(program, _view(task), Settings(), level)

    label = name or (entrant.name if len(shlex.split(words)) == 1 else words)
    if len(label) > _LONGEST:
        raise UserError(f"agent {label[:40]}...: its name is too long; give one, NAME=AGENT")
    return Agent(label, "bot", entrant.digest, in_its_own)


def _view(task: Task) -> RulesView:
    return view(task.rules, places=bool(task.opponents))


def _of_model(name: str, algorithm: str, file: Path) -> Agent:
    if algorithm not in ALGORITHMS:
        raise UserError(
            f"agent {algorithm}:{file}: there is no algorithm {algorithm!r} here; "
            f"there are {', '.join(ALGORITHMS)}"
        )
    package = ALGORITHMS[algorithm]
    if find_spec(package) is None:
        raise UserError(
            f"agent {algorithm}:{file}: {package} is not installed; "
            f"`pip install {package.replace('_', '-')}`"
        )
    digest = _digest(file, f"{algorithm}:{file}")
    try:
        model = getattr(importlib.import_module(package), algorithm).load(file, device="cpu")
    except Exception as error:
        text = " ".join(str(error).split())
        raise UserError(f"agent {algorithm}:{file}: no model of {algorithm}: {text}") from error

    def player(task: Task, level: Level, ending: ExitStack) -> Player:
        del level, ending
        show = _showing_for(model, task, f"{algorithm}:{file}")
        return _choosing(task, lambda seen, mask: _likeliest(model, show(seen), mask))

    return Agent(name or algorithm, "model", digest, player)


def _showing_for(model: Any, task: Task, what: str) -> Showing:  # noqa: ANN401 - it has no types
    """Return the form of observations that a model was trained on.

    Raises:
        UserError: If there is none in this task.
    """
    rules = task.rules
    environment, space = (
        ("Duel", duel_space(rules)) if task.opponents else ("Solo", sight_space(rules))
    )
    for form in get_args(ObservationForm):
        showing = Showing(space, form)
        if showing.space == model.observation_space and model.action_space.n == rules.cells:
            return showing
    raise UserError(
        f"agent {what}: it was not trained on salvo/{environment}-v0 by the rules '{rules.name}': "
        f"its observations are {model.observation_space}"
    )


def _likeliest(model: Any, shown: Shown, mask: NDArray[np.int8]) -> int:  # noqa: ANN401 - likewise
    """Return the cell that a model prefers to all others that may be shot."""
    torch = importlib.import_module("torch")
    with torch.no_grad():
        seen, _ = model.policy.obs_to_tensor(shown)
        if hasattr(model, "q_net"):
            worth = model.q_net(seen)
        elif hasattr(model, "quantile_net"):
            worth = model.quantile_net(seen).mean(dim=1)
        else:
            worth = model.policy.get_distribution(seen).distribution.logits
    allowed = np.where(mask == 1, worth[0].cpu().numpy(), -np.inf)
    return int(allowed.argmax())


def _of_function(name: str, file: Path, function: str) -> Agent:
    digest = _digest(file, f"{file}:{function}", function)
    _loaded(file, function)  # it is refused before anything is played

    def player(task: Task, level: Level, ending: ExitStack) -> Player:
        del level, ending
        return _choosing(task, _loaded(file, function))  # anew, so that it remembers nothing

    return Agent(name or function, "function", digest, player)


def _loaded(file: Path, function: str) -> Chooser:
    """Return a function of a file, which is run anew; it may import what lies beside it.

    Raises:
        UserError: If that fails.
    """
    what = f"{file}:{function}"
    name = f"_agent_{file.stem}"
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    folder = str(file.resolve().parent)
    if folder not in sys.path:
        sys.path.append(folder)
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        text = " ".join(str(error).split())
        raise UserError(f"agent {what}: {type(error).__name__}: {text}") from error
    choose: Chooser | None = getattr(module, function, None)
    if choose is None or not callable(choose):
        raise UserError(f"agent {what}: {file} has no function {function!r}")
    return choose


def _digest(file: Path, what: str, part: str = "") -> str:
    try:
        return hashlib.sha256(file.read_bytes() + part.encode()).hexdigest()
    except OSError as error:
        raise UserError(f"agent {what}: {file}: {error.strerror}") from error


def _choosing(task: Task, choose: Chooser) -> Player:
    return InProcessPlayer(partial(_ChoosingBot, task.rules, choose), _view(task), UNHURRIED)


def _whole(cell: SupportsIndex) -> int:
    try:
        return operator.index(cell)
    except TypeError:
        raise TypeError(f"the agent chose {cell!r}; a cell is a whole number") from None


class _ChoosingBot(Bot):
    """Shoots where a function says, cell by cell, which sees what ``SoloEnv`` shows.

    In a game for two it sees what ``AgainstBotEnv`` shows, and the fleet is drawn.
    """

    def __init__(self, rules: Rules, choose: Chooser) -> None:
        self._rules = rules
        self._choose = choose

    def plays(self, rules: RulesView) -> bool:
        """Return that it plays: whoever names it says so."""
        del rules
        return True

    def game_begins(self) -> None:
        """Forget the board."""
        self._sight = Sight(self._rules)
        self._heard = 0

    def choose_shots(self, count: int) -> Sequence[int]:
        """Return the cells that the function chooses, one after another."""
        for cells, report in self.reports[self._heard :]:
            assert isinstance(report, CellsReport)
            self._sight.hear(cells, report)
        self._heard = len(self.reports)
        for _ in range(count):
            cell = _whole(self._choose(self._seen(), self._sight.mask()))
            if not 0 <= cell < self._rules.cells or not self._sight.untried(cell):
                self._sight.chosen.append(cell)  # the referee says what is wrong with it
                continue
            self._sight.choose(cell)
        chosen, self._sight.chosen = self._sight.chosen, []
        return chosen

    def _seen(self) -> dict[str, NDArray[np.int8]]:
        seen = self._sight.observation()
        if self.solo:
            return seen
        sea = {"own": self.layout.values(), "incoming": self.incoming}
        for name, groups in sea.items():
            seen[name] = np.zeros_like(seen["board"])
            seen[name].flat[[cell for cells in groups for cell in cells]] = 1
        return seen
