"""Offers the rules as environments for learning, to Gymnasium, PettingZoo and OpenSpiel.

``import arena.environments`` registers them with Gymnasium, so that
``gymnasium.make("salvo/Solo-v0", rules="classic")`` gives one board and
``gymnasium.make_vec("salvo/Solo-v0", num_envs=4096, rules="classic")`` thousands of them as numpy
arrays. ``salvo/Duel-v0`` is the whole game against a bot, as
``gymnasium.make("salvo/Duel-v0", opponent="hunt_target")`` or, in a process of its own,
``opponent="node bot.js"``; ``DuelEnv`` is PettingZoo's, for both seats. They need the extra
``learn``; ``SoloBoards``, the batch without Gymnasium around it, and
``BotSeat``, a bot in one seat of a game, need numpy alone. What OpenSpiel
is handed is in ``open_spiel``.
"""

import importlib
from importlib.util import find_spec
from typing import TYPE_CHECKING

from arena.environments.sight import CHOSEN, HIT, MISS, SANK, UNTRIED, Cells
from arena.environments.solo_boards import SoloBoards
from arena.errors import not_installed

if TYPE_CHECKING:
    from arena.environments.against_bot import AgainstBotEnv
    from arena.environments.batched import BatchedSoloEnv
    from arena.environments.bot_seat import BotSeat
    from arena.environments.duel import DuelEnv
    from arena.environments.solo_env import SoloEnv

__all__ = [
    "CHOSEN",
    "HIT",
    "MISS",
    "SANK",
    "UNTRIED",
    "AgainstBotEnv",
    "BatchedSoloEnv",
    "BotSeat",
    "Cells",
    "DuelEnv",
    "SoloBoards",
    "SoloEnv",
]

_LATER = {
    "AgainstBotEnv": ("against_bot", "gymnasium"),
    "BatchedSoloEnv": ("batched", "gymnasium"),
    "BotSeat": ("bot_seat", "numpy"),
    "DuelEnv": ("duel", "pettingzoo"),
    "SoloEnv": ("solo_env", "gymnasium"),
}
"""Names that are imported on first use: the module of each, and the package that it needs."""


def __getattr__(name: str) -> object:
    """Return an environment, imported when it is first asked for.

    Raises:
        ImportError: If the extra ``learn`` is not installed.
    """
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, package = _LATER[name]
    if find_spec(package) is None:
        raise ImportError(f"{__name__}.{name}: {not_installed(package, 'learn')}")
    found: object = getattr(importlib.import_module(f"{__name__}.{module}"), name)
    return found


def _register() -> None:
    """Make the environments known to Gymnasium, where that is installed."""
    if find_spec("gymnasium") is None:
        return
    from gymnasium.envs.registration import register, registry  # noqa: PLC0415 - an extra

    if "salvo/Solo-v0" not in registry:
        register(
            id="salvo/Solo-v0",
            entry_point="arena.environments.solo_env:SoloEnv",
            vector_entry_point="arena.environments.batched:BatchedSoloEnv",
        )
        register(id="salvo/Duel-v0", entry_point="arena.environments.against_bot:AgainstBotEnv")


_register()
