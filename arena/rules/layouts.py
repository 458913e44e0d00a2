"""Layouts: a fleet placed on a board. Checked, drawn, and turned into names and cells.

Inside the rules a layout is a tuple of masks, one a ship, in the order of the fleet. Outside
(protocol, record, tables) it is a mapping from each ship's name to its cells.
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Literal, Protocol

from arena.errors import IllegalActionError, RulesError
from arena.rules.board import Ship, Touching, barred, cells_of, mask_of, placements

__all__ = [
    "Board",
    "Law",
    "Layout",
    "NamedLayout",
    "can_draw",
    "check_layout",
    "draw",
    "draw_sequential",
    "draw_uniform",
    "name_layout",
]

Law = Literal["uniform", "sequential"]
"""Every legal layout with one probability, or one ship after another, the longest first."""

Layout = tuple[int, ...]
NamedLayout = Mapping[str, Sequence[int]]

MAX_DRAWS = 20_000
"""Tries by rejection before all layouts are counted out instead."""

MAX_COUNTED = 2_000_000
"""The most placements that are looked at to count out all layouts."""

SURE_DRAWS = 20
"""Layouts that must come of ``MAX_DRAWS`` tries for the next so many tries to yield one surely:
where 20 are expected, none comes once in half a billion."""


class Board(Protocol):
    """What layouts need of a rule set, or of a view of one."""

    @property
    def rows(self) -> int:
        """Return the rows of the board."""
        ...

    @property
    def columns(self) -> int:
        """Return the columns of the board."""
        ...

    @property
    def fleet(self) -> tuple[Ship, ...]:
        """Return the ships to place."""
        ...

    @property
    def touching(self) -> Touching:
        """Return whether ships may touch."""
        ...

    @property
    def layouts(self) -> Law:
        """Return the law by which layouts are drawn."""
        ...


def check_layout(board: Board, named: NamedLayout) -> Layout:
    """Return the masks of a layout that the rules allow.

    Raises:
        IllegalActionError: If a ship is missing, unknown, of the wrong length, bent, gapped,
            outside the board or on top of another; the message names it.
    """
    names = [ship.name for ship in board.fleet]
    for name in named:
        if name not in names:
            raise IllegalActionError(f"the fleet has no ship {name[:40]!r}")
    layout = []
    taken = closed = 0
    for ship in board.fleet:
        if ship.name not in named:
            raise IllegalActionError(f"the layout lacks the ship '{ship.name}'")
        mask = _check_ship(board, ship, named[ship.name])
        if mask & closed:
            verb = "overlaps" if mask & taken else "touches"
            cell = cells_of(mask & taken or mask & closed)[0]
            raise IllegalActionError(f"ship '{ship.name}' {verb} another ship at cell {cell}")
        taken |= mask
        closed |= barred(board.rows, board.columns, mask, board.touching)
        layout.append(mask)
    return tuple(layout)


def _check_ship(board: Board, ship: Ship, cells: Sequence[int]) -> int:
    if len(cells) != ship.length:
        raise IllegalActionError(
            f"ship '{ship.name}' has {len(cells)} cells, its length is {ship.length}"
        )
    last = board.rows * board.columns - 1
    for cell in cells:
        if not 0 <= cell <= last:
            raise IllegalActionError(
                f"ship '{ship.name}' lies at cell {cell}, outside the board (0 to {last})"
            )
    mask = mask_of(cells)
    if mask not in placements(board.rows, board.columns, ship.length):
        raise IllegalActionError(
            f"ship '{ship.name}' at cells {sorted(cells)} is not one straight run"
        )
    return mask


def name_layout(board: Board, layout: Layout) -> dict[str, list[int]]:
    """Return a layout as a mapping from ship names to cells, in the order of the fleet."""
    return {ship.name: cells_of(mask) for ship, mask in zip(board.fleet, layout, strict=True)}


def draw(board: Board, random: Random) -> Layout:
    """Draw a layout by the law of the rules.

    Raises:
        RulesError: If the board is too full to draw from.
    """
    if board.layouts == "sequential":
        return draw_sequential(board, random)
    return draw_uniform(board, random)


def draw_sequential(board: Board, random: Random) -> Layout:
    """Draw a layout one ship after another, the longest first, each uniformly where it may lie.

    Where a ship has no place left, the one before it takes another of its places. Layouts are
    not uniform: ships lie along the edge less often.

    Raises:
        RulesError: If no layout was found within a bounded search.
    """
    order = sorted(range(len(board.fleet)), key=lambda ship: -board.fleet[ship].length)
    options = _options(board)
    drawn: list[int] = []
    closed = [0]
    choices = [_shuffled(options[order[0]], 0, random)]
    for _ in range(MAX_COUNTED):
        if not choices[-1]:
            choices.pop()
            if not choices:
                break
            drawn.pop()
            closed.pop()
            continue
        mask = choices[-1].pop()
        drawn.append(mask)
        closed.append(closed[-1] | barred(board.rows, board.columns, mask, board.touching))
        if len(drawn) == len(order):
            by_ship = dict(zip(order, drawn, strict=True))
            return tuple(by_ship[ship] for ship in range(len(order)))
        choices.append(_shuffled(options[order[len(drawn)]], closed[-1], random))
    raise RulesError("fleet: no layout was found; enlarge the board or shorten the fleet")


def _shuffled(masks: Sequence[int], closed: int, random: Random) -> list[int]:
    places = [mask for mask in masks if not mask & closed]
    random.shuffle(places)
    return places


def draw_uniform(board: Board, random: Random) -> Layout:
    """Draw a layout, every legal one with the same probability.

    All ships are drawn independently and the whole draw is rejected if two overlap, which is
    uniform by construction; placing one ship after another around the earlier ones is not.
    Boards so full that rejection would not end have few layouts: those are counted out.

    Raises:
        RulesError: If the board is too full for the one way and has too many layouts for the
            other; ``can_draw`` tells beforehand.
    """
    options = _options(board)
    for _ in range(MAX_DRAWS):
        drawn = _draw_once(board, options, random)
        if drawn is not None:
            return drawn
    counted = _draw_counted(board, options, random)
    if counted is None:
        raise RulesError(
            "fleet: the board is too full to draw layouts uniformly; "
            "enlarge the board or shorten the fleet"
        )
    return counted


def can_draw(board: Board) -> bool:
    """Tell whether ``draw`` will always find a layout, within a bounded time."""
    options = _options(board)
    random = Random(0)
    if board.layouts == "sequential":
        return _found(board)
    drawn = 0
    for _ in range(MAX_DRAWS):
        drawn += _draw_once(board, options, random) is not None
        if drawn == SURE_DRAWS:
            return True
    return _draw_counted(board, options, random) is not None


def _found(board: Board) -> bool:
    try:
        draw_sequential(board, Random(0))
    except RulesError:
        return False
    return True


def _options(board: Board) -> list[tuple[int, ...]]:
    return [placements(board.rows, board.columns, ship.length) for ship in board.fleet]


def _draw_once(board: Board, options: Sequence[Sequence[int]], random: Random) -> Layout | None:
    """Draw every ship by itself; None if two of them cannot lie so."""
    closed = 0
    layout = []
    for masks in options:
        mask = masks[int(random.random() * len(masks))]
        if mask & closed:
            return None
        closed |= barred(board.rows, board.columns, mask, board.touching)
        layout.append(mask)
    return tuple(layout)


def _draw_counted(
    board: Board, options: Sequence[tuple[int, ...]], random: Random
) -> Layout | None:
    """Draw one of all layouts, looking at each; None if there are none or too many.

    Ships of one length are interchangeable, so only layouts that have them in ascending order
    are looked at, and of the one that is drawn they are shuffled.
    """
    order = sorted(range(len(options)), key=lambda ship: (len(options[ship]), options[ship]))
    drawn: Layout | None = None
    seen = 0
    looks_left = MAX_COUNTED
    stack: list[tuple[int, Layout, int]] = [(0, (), 0)]
    while stack:
        taken, placed, start = stack.pop()
        depth = len(placed)
        if depth == len(order):
            # Reservoir sampling: the n-th layout replaces the one held with probability 1/n.
            seen += 1
            if random.random() * seen < 1:
                drawn = placed
            continue
        masks = options[order[depth]]
        for index in range(start, len(masks)):
            looks_left -= 1
            if not masks[index] & taken:
                alike = depth + 1 < len(order) and options[order[depth + 1]] is masks
                stack.append((taken, placed, index + 1))
                closed = taken | barred(board.rows, board.columns, masks[index], board.touching)
                stack.append((closed, (*placed, masks[index]), index + 1 if alike else 0))
                break
        if looks_left < 0:
            return None
    return None if drawn is None else _shuffle_alike(options, order, drawn, random)


def _shuffle_alike(
    options: Sequence[tuple[int, ...]], order: Sequence[int], drawn: Layout, random: Random
) -> Layout:
    """Return the masks in the order of the fleet, those of ships of one length shuffled."""
    masks: dict[tuple[int, ...], list[int]] = {}
    for ship, mask in zip(order, drawn, strict=True):
        masks.setdefault(options[ship], []).append(mask)
    for alike in masks.values():
        random.shuffle(alike)
    return tuple(masks[places].pop() for places in options)
