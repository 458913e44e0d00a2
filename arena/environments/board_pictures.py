"""Paints boards as arrays of colours, for ``render_mode="rgb_array"`` and films."""

import numpy as np
from numpy.typing import NDArray

from arena.environments.sight import Cells

Picture = NDArray[np.uint8]
"""Rows x columns x 3 of red, green and blue, 0 to 255."""

CELL_PIXELS = 24
"""An even number, as encoders of films ask for."""

_GAP = (252, 252, 250)
_SHOWN = np.array(
    [(205, 220, 232), (240, 200, 90), (150, 170, 185), (214, 93, 80), (120, 30, 40)], dtype=np.uint8
)
"""The colour of a cell that is untried, chosen, a miss, a hit, and a hit that sank a ship."""

_WATER, _SHIP, _SPLASH, _STRUCK = (205, 220, 232), (95, 110, 120), (150, 170, 185), (214, 93, 80)


def paint_board(board: Cells) -> Picture:
    """Return the board that is shot at, as it is known."""
    return _tiled(_SHOWN[board])


def paint_own(own: Cells, incoming: Cells) -> Picture:
    """Return a seat's own board: its ships, and where they were shot at."""
    colours = np.array([[_WATER, _SPLASH], [_SHIP, _STRUCK]], dtype=np.uint8)
    return _tiled(colours[own, incoming])


def side_by_side(*pictures: Picture) -> Picture:
    """Return pictures of one height beside each other, with a gap between."""
    gap = np.full((pictures[0].shape[0], CELL_PIXELS, 3), _GAP, dtype=np.uint8)
    parts = [part for picture in pictures for part in (gap, picture)][1:]
    return np.concatenate(parts, axis=1)


def _tiled(colours: Picture) -> Picture:
    picture = colours.repeat(CELL_PIXELS, axis=0).repeat(CELL_PIXELS, axis=1)
    picture[::CELL_PIXELS] = picture[:, ::CELL_PIXELS] = _GAP
    return picture
