"""Checks and draws layouts, a fleet placed on a board, and converts them to names and cells.

Inside the rules a layout is a tuple of masks, one per ship, in the order of the fleet. Outside
(protocol, record, tables) it is a mapping from each ship's name to its cells.
"""

import contextlib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Literal, Protocol

from arena.errors import IllegalActionError, RulesError
from arena.rules.board import Ship, Touching, barred, cells_of, mask_of, placement_set, placements

Distribution = Literal["uniform", "sequential"]
"""All legal layouts equally likely, or ships placed one after another, longest first."""

Layout = tuple[int, ...]
NamedLayout = Mapping[str, Sequence[int]]

MAX_DRAWS = 20_000
"""Attempts at rejection sampling before all layouts are enumerated instead."""

MAX_COUNTED = 2_000_000
"""The most placements to look at in a search or an enumeration."""

SURE_DRAWS = 20
"""How many of ``MAX_DRAWS`` attempts must succeed for rejection sampling to count as reliable:
where 20 successes are expected, the probability of none is exp(-20), one in half a billion."""


class Board(Protocol):
    """The part of a rule set, or of a view of one, that layouts depend on."""

    @property
    def rows(self) -> int:
        """Return the rows of the board."""

    @property
    def columns(self) -> int:
        """Return the columns of the board."""

    @property
    def fleet(self) -> tuple[Ship, ...]:
        """Return the ships to place."""

    @property
    def touching(self) -> Touching:
        """Return whether ships may touch."""

    @property
    def layouts(self) -> Distribution:
        """Return the distribution from which layouts are drawn."""


def check_layout(board: Board, named: NamedLayout) -> Layout:
    """Return the masks of a legal layout.

    Raises:
        IllegalActionError: If a ship is missing, unknown, of the wrong length, bent, gapped,
            outside the board, on top of another or too close to it; the message names it.
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
    what = f"ship '{ship.name}'"
    if len(cells) != ship.length:
        raise IllegalActionError(f"{what} has {len(cells)} cells, its length is {ship.length}")
    last = board.rows * board.columns - 1
    for cell in cells:
        if not 0 <= cell <= last:
            raise IllegalActionError(f"{what} lies at cell {cell}, outside the board (0 to {last})")
    mask = mask_of(cells)
    if mask not in placement_set(board.rows, board.columns, ship.length):
        raise IllegalActionError(f"{what} at cells {sorted(cells)} is not one straight run")
    return mask


def name_layout(board: Board, layout: Layout) -> dict[str, list[int]]:
    """Return a layout as a mapping from ship names to cells, in the order of the fleet."""
    return {
        ship.name: list(_ship_cells(mask)) for ship, mask in zip(board.fleet, layout, strict=True)
    }


@lru_cache(maxsize=4096)
def _ship_cells(mask: int) -> tuple[int, ...]:
    return tuple(cells_of(mask))


def draw(board: Board, random: Random) -> Layout:
    """Draw a layout from the distribution that the rules name.

    Raises:
        RulesError: If the board is too full to draw from.
    """
    if board.layouts == "sequential":
        return draw_sequential(board, random)
    return draw_uniform(board, random)


def draw_sequential(board: Board, random: Random) -> Layout:
    """Draw a layout one ship after another, longest first, each uniformly where it fits.

    If a ship has no place left, the one before it takes another place (backtracking). Layouts are
    not uniform: ships lie along the edge less often.

    Raises:
        RulesError: If a bounded search found no layout.
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

    Ships are drawn independently and all are rejected if two overlap, which is uniform by
    construction; placing ships around earlier ones is not. Boards too full for rejection sampling
    usually have few layouts, which are enumerated.

    Raises:
        RulesError: If the board is too full for rejection sampling and has too many layouts to
            enumerate; ``can_draw`` tests for that.
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
    """Return whether ``draw`` will always find a layout, in bounded time."""
    options = _options(board)
    random = Random(0)
    if board.layouts == "sequential":
        with contextlib.suppress(RulesError):
            return bool(draw_sequential(board, random))
        return False
    drawn = 0
    for _ in range(MAX_DRAWS):
        drawn += _draw_once(board, options, random) is not None
        if drawn == SURE_DRAWS:
            return True
    return _draw_counted(board, options, random) is not None


def _options(board: Board) -> list[tuple[int, ...]]:
    return [placements(board.rows, board.columns, ship.length) for ship in board.fleet]


def _draw_once(board: Board, options: Sequence[Sequence[int]], random: Random) -> Layout | None:
    """Draw each ship independently; return None if two of them conflict."""
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
    """Draw from an enumeration of all layouts; None if there are none or too many.

    Ships of the same length are interchangeable, so only layouts that have them in ascending
    order are enumerated, and they are shuffled in the one that is drawn.
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
            # Reservoir sampling: the n-th layout replaces the current one with probability 1/n.
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
    masks: dict[tuple[int, ...], list[int]] = {}
    for ship, mask in zip(order, drawn, strict=True):
        masks.setdefault(options[ship], []).append(mask)
    for alike in masks.values():
        random.shuffle(alike)
    return tuple(masks[places].pop() for places in options)
