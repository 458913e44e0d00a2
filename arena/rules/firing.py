"""Applies a salvo to one side of the board.

States are created and dropped at every turn; ``gc=False`` is for speed, since they cannot be part
of a reference cycle.
"""

from collections.abc import Sequence
from typing import Self

import msgspec
from msgspec import Struct

from arena.errors import IllegalActionError
from arena.rules.actions import AnswerRequest, CellsReport, CountReport, Report, Seat
from arena.rules.board import cells_of
from arena.rules.layouts import Layout
from arena.rules.ruleset import Rules


class Waters(Struct, frozen=True, gc=False):
    """One side of the board: the ships that lie there, and the shots at them.

    Attributes:
        ships: The mask of each ship, in the order of the fleet.
        afloat: The mask of the cells of the ships that are not sunk.
        hit: The mask of the cells of ships afloat that were hit. Sunk ships are removed from the
            board: where ships move, another may lie in their place.
        sunk: The bit mask of the numbers, in the fleet, of the ships that are sunk.
        lies: How often its seat has lied about it.
    """

    ships: Layout
    afloat: int
    shot: int = 0
    hit: int = 0
    sunk: int = 0
    lies: int = 0

    @classmethod
    def placed(cls, ships: Layout) -> Self:
        """Return the waters with a fleet that has not been shot at."""
        return cls(ships, sum(ships))


class Sides(Struct, frozen=True, gc=False):
    """The two sides of the board; None where no fleet lies (yet, or in a solo game)."""

    first: Waters | None = None
    second: Waters | None = None

    def of(self, seat: Seat) -> Waters | None:
        """Return the waters with the ships of ``seat``."""
        return self.first if seat == "first" else self.second

    def having(self, seat: Seat, waters: Waters) -> "Sides":
        """Return both sides with those of ``seat`` replaced by ``waters``."""
        return Sides(waters, self.second) if seat == "first" else Sides(self.first, waters)


class Volley(Struct, frozen=True, gc=False):
    """The true effect of a salvo."""

    waters: Waters  # the side that was shot at, afterwards
    cells: tuple[int, ...]
    hits: tuple[int, ...] = ()  # those of its cells that hit a ship afloat
    sunk: tuple[str, ...] = ()


def check_salvo(rules: Rules, target: Waters, due: int, cells: Sequence[int]) -> int:
    """Return the mask of a salvo.

    Raises:
        IllegalActionError: If it does not have exactly ``due`` cells, all different, on the board
            and, unless cells may be shot again, not shot before.
    """
    end = rules.rows * rules.columns
    fired = 0
    for cell in cells:
        if not 0 <= cell < end:  # the mask of a cell far away would be huge
            break
        fired |= 1 << cell
    else:
        closed = 0 if rules.reshoot else target.shot
        if fired.bit_count() == len(cells) == due and not fired & closed:
            return fired
    raise IllegalActionError(_why_illegal(rules, target, due, cells))


def _why_illegal(rules: Rules, target: Waters, due: int, cells: Sequence[int]) -> str:
    if len(cells) != due:
        return f"shots due: {due}, fired: {len(cells)}"
    for number, cell in enumerate(cells):
        if not 0 <= cell < rules.cells:
            return f"cell {cell} is outside the board (0 to {rules.cells - 1})"
        if cell in cells[:number]:
            return f"cell {cell} appears twice in one salvo"
        if target.shot >> cell & 1 and not rules.reshoot:
            break
    return f"cell {cell} was already shot"


def fire(rules: Rules, target: Waters, due: int, cells: Sequence[int]) -> Volley:
    """Return what a salvo does.

    Raises:
        IllegalActionError: If it is illegal, see ``check_salvo``.
    """
    return effect(rules, target, check_salvo(rules, target, due, cells), tuple(cells))


def effect(rules: Rules, target: Waters, fired: int, cells: tuple[int, ...]) -> Volley:
    """Return what a legal salvo does; ``fired`` is the mask of ``cells``."""
    hits = fired & target.afloat
    if not hits:
        return Volley(missed(target, fired), cells)
    return _strike(rules, target, target.shot | fired, cells, hits)


def missed(target: Waters, fired: int) -> Waters:
    """Return the waters after a salvo that hit nothing."""
    return Waters(
        target.ships, target.afloat, target.shot | fired, target.hit, target.sunk, target.lies
    )


def _strike(rules: Rules, target: Waters, shot: int, cells: tuple[int, ...], hits: int) -> Volley:
    afloat, hit, sunk = target.afloat, target.hit | hits, target.sunk
    names = []
    for number, mask in enumerate(target.ships):
        if mask & hits and not mask & ~hit and not sunk >> number & 1:
            names.append(rules.fleet[number].name)
            sunk |= 1 << number
            afloat &= ~mask
            hit &= ~mask
    return Volley(
        Waters(target.ships, afloat, shot, hit, sunk, target.lies),
        cells,
        tuple([cell for cell in cells if hits >> cell & 1]),
        tuple(names),
    )


def report(rules: Rules, volley: Volley, told: tuple[int, ...]) -> Report:
    """Return the report of a salvo that names the cells ``told``, truthful or not, as hits."""
    sunk: tuple[str, ...] | int | None = None
    if rules.sinkings == "named":
        sunk = volley.sunk
    elif rules.sinkings == "unnamed":
        sunk = len(volley.sunk)
    wrecks = _wrecks(rules, volley) if rules.sunk_cells else None
    if rules.told == "cells":
        ships = _ships_at(rules, volley) if rules.hits_named else None
        return CellsReport(told, sunk, ships, wrecks)
    struck = _hits_by_ship(rules, volley) if rules.told == "count-by-ship" else None
    return CountReport(len(told), struck, sunk, wrecks)


def _ships_at(rules: Rules, volley: Volley) -> tuple[str, ...]:
    """Return the name of the ship that each hit struck."""
    # Where ships move, one may lie where another sank: what was struck was afloat.
    afloat = [
        (ship.name, mask)
        for number, (ship, mask) in enumerate(zip(rules.fleet, volley.waters.ships, strict=False))
        if ship.name in volley.sunk or not volley.waters.sunk >> number & 1
    ]
    return tuple(next(name for name, mask in afloat if mask >> cell & 1) for cell in volley.hits)


def _hits_by_ship(rules: Rules, volley: Volley) -> dict[str, int]:
    ships = _ships_at(rules, volley)
    return {ship.name: ships.count(ship.name) for ship in rules.fleet if ship.name in ships}


def _wrecks(rules: Rules, volley: Volley) -> dict[str, tuple[int, ...]]:
    return {
        ship.name: tuple(cells_of(mask))
        for ship, mask in zip(rules.fleet, volley.waters.ships, strict=False)
        if ship.name in volley.sunk
    }


def report_of_misses(rules: Rules) -> Report:
    """Return the report of a salvo that hit nothing."""
    if rules.told == "cells" and not (rules.hits_named or rules.sunk_cells):
        return _MISSES[rules.sinkings]
    return report(rules, Volley(_NOWHERE, ()), ())


_NOWHERE = Waters((), 0)

_MISSES: dict[str, Report] = {
    "named": CellsReport((), ()),
    "unnamed": CellsReport((), 0),
    "silent": CellsReport((), None),
}
"""The report of a salvo that hit nothing, if cells are reported, by the rule for sinkings."""


def answered(rules: Rules, target: Waters, request: AnswerRequest, told: Sequence[int]) -> Volley:
    """Return what a salvo did after its target says that the cells ``told`` were hits.

    Raises:
        IllegalActionError: If ``told`` has cells outside the salvo or twice, too many lies, or a
            lie about a ship that the salvo sank.
    """
    volley = fire(rules, target, len(request.cells), request.cells)
    if len(set(told)) != len(told) or not set(told) <= set(request.cells):
        raise IllegalActionError(
            f"the hits {list(told)} are not different cells of the salvo {list(request.cells)}"
        )
    lies = set(told) ^ set(volley.hits)
    if len(lies) > request.lies:
        raise IllegalActionError(f"{len(lies)} lies, only {request.lies} were left")
    ships = zip(rules.fleet, target.ships, strict=True)
    sinkers = sum(mask for ship, mask in ships if ship.name in volley.sunk)
    for cell in sorted(lies):
        if sinkers >> cell & 1:
            raise IllegalActionError(f"a lie about cell {cell}, which belongs to a ship just sunk")
    waters = msgspec.structs.replace(volley.waters, lies=target.lies + len(lies))
    return msgspec.structs.replace(volley, waters=waters)
