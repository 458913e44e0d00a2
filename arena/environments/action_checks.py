"""Checks actions and options that clients give to an environment, and refuses them in one line."""

from collections.abc import Collection, Mapping
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from arena.errors import IllegalActionError, UserError

IllegalShot = Literal["raise", "end", "cost"]
"""A cell that was shot before is an error, or ends the game, or costs a turn."""


def checked_action(action: object, actions: int) -> int:
    """Return the action as a number.

    Raises:
        IllegalActionError: If it is no whole number from 0 to ``actions`` - 1.
    """
    number = action.item() if isinstance(action, np.ndarray) and action.ndim == 0 else action
    if isinstance(number, bool | np.bool_) or not isinstance(number, int | np.integer):
        raise IllegalActionError(
            f"action {_short(action)} of {type(action).__name__}: give one whole number from 0 to "
            f"{actions - 1}"
        )
    if not 0 <= number < actions:
        raise IllegalActionError(f"action {number} is none; give one from 0 to {actions - 1}")
    return int(number)


def checked_actions(given: object, games: int, actions: int) -> NDArray[np.int64]:
    """Return the actions of some games as numbers, one a game.

    Raises:
        IllegalActionError: If they are not that many whole numbers from 0 to ``actions`` - 1.
    """
    try:
        numbers = np.asarray(given)
    except ValueError as error:
        raise IllegalActionError(f"actions {_short(given)}: {error}") from error
    if numbers.shape != (games,):
        raise IllegalActionError(
            f"actions of shape {numbers.shape}: give one for each of {games} games, ({games},)"
        )
    if numbers.dtype.kind not in "iu":
        raise IllegalActionError(
            f"actions of {numbers.dtype}: give whole numbers from 0 to {actions - 1}"
        )
    outside = (numbers < 0) | (numbers >= actions)
    if outside.any():
        game = int(outside.argmax())
        raise IllegalActionError(
            f"game {game}: action {numbers[game]} is none; give one from 0 to {actions - 1}"
        )
    return numbers.astype(np.int64, copy=False)


def checked_illegal(given: str, allowed: Collection[str] = get_args(IllegalShot)) -> str:
    """Return what an illegal shot does.

    Raises:
        UserError: If that is none of ``allowed``.
    """
    if given not in allowed:
        raise UserError(f"illegal is {given!r}; choose one of {', '.join(allowed)}")
    return given


def checked_options(given: Mapping[str, Any] | None, known: Collection[str]) -> dict[str, Any]:
    """Return the options of a reset.

    Raises:
        UserError: If there is one that is not known.
    """
    options = dict(given or {})
    if unknown := sorted(set(options) - set(known), key=str):
        there = f"there is {' and '.join(known)}" if known else "there are none"
        raise UserError(f"options: {unknown[0]!r} is no option of this environment; {there}")
    return options


def _short(value: object) -> str:
    text = " ".join(repr(value).split())
    return text if len(text) <= 40 else f"{text[:37]}..."  # noqa: PLR2004 - of one line
