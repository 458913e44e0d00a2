"""Places a fleet ship by ship, so that the last one always finds room."""

from arena.errors import RulesError
from arena.rules import Layout, Rules, barred, mask_of, placements

MOST_LOOKS = 1_000_000
"""Places that are looked at before a board is called too full."""


class Placing:
    """A layout in the making, the ships in the order of the fleet."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self.layout: Layout = ()
        self._closed = 0
        self._looks: int

    @property
    def complete(self) -> bool:
        """Return whether all ships lie."""
        return len(self.layout) == len(self._rules.fleet)

    @property
    def taken(self) -> int:
        """Return the mask of the cells on which ships lie."""
        return sum(self.layout)

    def legal(self) -> list[int]:
        """Return the actions that lay the next ship and leave room for those after it.

        Action ``cell`` lays it along the row from that cell, ``cells + cell`` down the column; a
        ship of one cell lies along the row.

        Raises:
            RulesError: If the board is too full to find out within a bounded search.
        """
        rest = [ship.length for ship in self._rules.fleet[len(self.layout) + 1 :]]
        rest.sort(reverse=True)
        self._looks = 0
        return [
            action
            for action, mask in self._places().items()
            if not mask & self._closed and self._has_room(self._closed | self._bars(mask), rest)
        ]

    def lay(self, action: int) -> None:
        """Lay the next ship; the action is a legal one."""
        mask = self._places()[action]
        self.layout = (*self.layout, mask)
        self._closed |= self._bars(mask)

    def _places(self) -> dict[int, int]:
        """Return the mask of the next ship for each action that leaves it on the board."""
        rules = self._rules
        length = rules.fleet[len(self.layout)].length
        places = {}
        for mask in placements(rules.rows, rules.columns, length):
            cell = (mask & -mask).bit_length() - 1
            in_row = cell % rules.columns + length <= rules.columns
            along_row = in_row and mask == mask_of(range(cell, cell + length))
            places[cell if along_row else rules.cells + cell] = mask
        return places

    def _bars(self, mask: int) -> int:
        return barred(self._rules.rows, self._rules.columns, mask, self._rules.touching)

    def _has_room(self, closed: int, lengths: list[int]) -> bool:
        """Return whether ships of these lengths, the longest first, can still be laid."""
        if not lengths:
            return True
        for mask in placements(self._rules.rows, self._rules.columns, lengths[0]):
            self._looks += 1
            if self._looks > MOST_LOOKS:
                raise RulesError(
                    f"rules '{self._rules.name}': the board is too full to place ships one by one; "
                    'set placement to "drawn"'
                )
            if not mask & closed and self._has_room(closed | self._bars(mask), lengths[1:]):
                return True
        return False
