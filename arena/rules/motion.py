"""Moves ships: an undamaged ship moves by one cell along its own axis."""

from collections.abc import Sequence

from msgspec.structs import replace

from arena.errors import IllegalActionError
from arena.rules.board import barred, mask_of, placement_set
from arena.rules.firing import Waters
from arena.rules.layouts import Board
from arena.rules.ruleset import Rules


def _steps(rules: Board, mask: int) -> list[int]:
    """Return the masks of a ship moved one cell along its axis; of length 1, along either axis."""
    length = mask.bit_count()
    places = placement_set(rules.rows, rules.columns, length)
    along_row = length == 1 or bool(mask >> 1 & mask)
    along_column = length == 1 or not along_row
    shifts = [1] * along_row + [rules.columns] * along_column
    moved_masks = [mask << shift for shift in shifts] + [mask >> shift for shift in shifts]
    # Two cells whose indices differ by one may be in different rows.
    beside = barred(rules.rows, rules.columns, mask, "corners")
    # A run pushed over the end of its row is no longer straight, so it is not in ``places``.
    return [candidate for candidate in moved_masks if candidate in places and beside & candidate]


def legal_moves(rules: Board, waters: Waters) -> list[tuple[int, int]]:
    """Return every legal move: the number of a ship in the fleet, and its mask after the move.

    Ships that were hit cannot move; sunk ships are not in the way.
    """
    sunk = waters.sunk
    afloat = [(number, mask) for number, mask in enumerate(waters.ships) if not sunk >> number & 1]
    moves = []
    for number, mask in afloat:
        if mask & waters.hit:
            continue
        closed = 0
        for neighbour, other_mask in afloat:
            if neighbour != number:
                closed |= barred(rules.rows, rules.columns, other_mask, rules.touching)
        moves += [(number, place) for place in _steps(rules, mask) if not place & closed]
    return moves


def move_ship(rules: Rules, waters: Waters, name: str, cells: Sequence[int]) -> Waters:
    """Return the waters after a ship has moved.

    Raises:
        IllegalActionError: If the ship may not move there; the message says why.
    """
    names = [ship.name for ship in rules.fleet]
    if name not in names:
        raise IllegalActionError(f"the fleet has no ship {name[:40]!r}")
    number = names.index(name)
    ships = waters.ships
    if waters.sunk >> number & 1 or ships[number] & waters.hit:
        raise IllegalActionError(f"ship '{name}' was hit and cannot move")
    on_board = all(0 <= cell < rules.cells for cell in cells)
    mask = mask_of(cells) if on_board else 0
    if (number, mask) not in legal_moves(rules, waters):
        raise IllegalActionError(
            f"ship '{name}' cannot move to cells {sorted(cells)}: a move is one cell along its "
            "own axis, inside the board and clear of the ships afloat"
        )
    return replace(
        waters,
        ships=(*ships[:number], mask, *ships[number + 1 :]),
        afloat=waters.afloat & ~ships[number] | mask,
    )
