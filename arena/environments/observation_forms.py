"""Turns what a seat sees into the form that a client asks for: a dictionary, planes, or one row."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from arena.environments.sight import SANK, Cells
from arena.errors import UserError

if TYPE_CHECKING:
    from gymnasium import spaces

ObservationForm = Literal["dict", "planes", "flat"]
"""Arrays by their names; planes of numbers from 0 to 1 behind each other; the same in one row."""

Shown = Mapping[str, Cells] | NDArray[np.float32]
"""An observation in one of the forms."""

_STATES = SANK + 1


class Showing:
    """Shows a seat's arrays in one form, of one game or, with one more axis in front, of many.

    "planes" has a plane, rows x columns, for each state of a cell of ``board``, UNTRIED to SANK,
    one each for ``own`` and ``incoming`` where there are any, and one for each number of ``sunk``,
    with that number, as a share of its bound, in every cell. "flat" has the same in one row, but
    each number of ``sunk`` once.

    Attributes:
        space: The space of what is shown.

    Raises:
        UserError: If there is no such form.
    """

    def __init__(self, seen: "spaces.Dict", form: ObservationForm) -> None:
        from gymnasium import spaces  # noqa: PLC0415 - an extra, without which the boards do

        if form not in get_args(ObservationForm):
            forms = ", ".join(get_args(ObservationForm))
            raise UserError(f"observations is {form!r}; choose one of {forms}")
        self._form = form
        sunk = seen.spaces.get("sunk")
        self._most_sunk = np.float32(sunk.high.max() if isinstance(sunk, spaces.Box) else 1)
        self.space: spaces.Space[Any] = seen
        if form != "dict":
            empty = {name: np.zeros(space.shape or (), np.int8) for name, space in seen.items()}
            shown = self(empty)
            assert isinstance(shown, np.ndarray)
            self.space = spaces.Box(0, 1, shown.shape, np.float32)

    def __call__(self, seen: Mapping[str, Cells]) -> Shown:
        """Return what is seen in this form."""
        if self._form == "dict":
            return seen
        board = seen["board"]
        *games, rows, columns = board.shape
        states = board[..., None, :, :] == np.arange(_STATES, dtype=np.int8)[:, None, None]
        parts = [
            states,
            *(seen[name][..., None, :, :] for name in ("own", "incoming") if name in seen),
        ]
        planes = np.concatenate(parts, axis=-3, dtype=np.float32, casting="unsafe")
        sunk = seen.get("sunk", np.zeros((*games, 0))).astype(np.float32) / self._most_sunk
        if self._form == "flat":
            return np.concatenate([planes.reshape(*games, -1), sunk], axis=-1)
        spread = np.broadcast_to(sunk[..., None, None], (*sunk.shape, rows, columns))
        return np.concatenate([planes, spread], axis=-3)
