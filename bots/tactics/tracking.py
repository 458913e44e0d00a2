"""Tracks which hits belong to sunk ships, which are open, and where shots are worth it.

The arena reports that a ship was sunk and by which salvo, not where it lay. It lay on a straight
run of hits of its length, at least one of which was of that salvo; where two such runs exist, it
may become clear later which one it was, when another ship turns out to lie across one of them.
Where hits name the ship, or the report of a sinking tells its cells, it is known at once.
Where a sinking is reported without a name, the run may have the length of any ship that is left.
"""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache, reduce
from operator import and_, or_
from random import Random

from arena import Bot
from arena.rules import (
    CountReport,
    Report,
    RulesView,
    barred,
    cells_of,
    mask_of,
    placements,
    refuse_unknown,
)
from arena.rules.rule_features import CERTAIN, COUNTED

TRACKED = CERTAIN | {"moves", "reshoot", "lies"}
"""Features of rules by which ``Tracker`` finds the hits to go by."""

NOWHERE = -1  # stands for a cell beyond the edge of the board


class _Wreck:
    """A sunk ship, and the masks of the placements that it may have had.

    ``counted`` says whether it was already subtracted from the ships afloat.
    """

    def __init__(self, places: list[int], *, counted: bool) -> None:
        self.counted = counted
        self.keep(places)

    def keep(self, places: list[int]) -> None:
        """Keep ``places``, one of which the ship had: cells that all of them share are its own."""
        self.places = places
        self.reach = reduce(or_, places, 0)
        self.certain = reduce(and_, places, self.reach)

    @property
    def length(self) -> int:
        """Return the length of the ship, 0 if that is not known."""
        lengths = {place.bit_count() for place in self.places}
        return lengths.pop() if len(lengths) == 1 else 0


class Tracker:
    """Tracks the opponent's board in one game; make one for each game.

    All attributes but ``afloat`` are bit masks of cells.

    Attributes:
        untried: Cells that were not shot yet. Where cells may be shot again and too few are left,
            all but the open hits count as untried again.
        candidates: The untried cells that the rule about touching leaves to ships; all untried
            cells where these are too few for a salvo.
        unclear: Cells of salvos of which only the number of hits was reported, neither 0 nor all.
        explained: Hits that certainly belong to sunk ships.
        afloat: How many ships of each length are afloat, as far as that is known; empty if the
            fleet is unknown.
    """

    def __init__(self, rules: RulesView) -> None:
        refuse_unknown(
            rules,
            TRACKED | COUNTED | {"fleet_known"},
            "the tracker of hits does not know this rule",
        )
        self._rules = rules
        self._lengths = {ship.name: ship.length for ship in rules.opponent_fleet or ()}
        self._seen = 0
        self._named: dict[str, int] = {}
        self._wrecks: list[_Wreck] = []
        self._board = (1 << rules.cells) - 1
        self._barred = 0
        self.untried = self.candidates = self._board
        self.hits = self.unclear = self.explained = 0
        self.afloat = Counter(self._lengths.values())

    @property
    def open_hits(self) -> int:
        """Return the mask of the hits that may belong to a ship afloat."""
        return self.hits & ~self.explained

    def update(self, bot: Bot, count: int) -> None:
        """Read the new reports of ``bot``; to be called once in every ``choose_shots``."""
        new = bot.reports[self._seen :]
        self._seen += len(new)
        for cells, report in new:
            self._read(mask_of(cells), report)
        if self._rules.reshoot and self.untried.bit_count() < count:
            # Undamaged ships move, so any cell but the open hits may hold one by now.
            self.unclear = 0
            self.untried = self._board & ~self.open_hits
            if self.untried.bit_count() < count:
                self.untried = self._board
        self.candidates = self.untried & ~self._barred & ~self._diagonals()
        if self.candidates.bit_count() < count:
            self.candidates = self.untried

    def _read(self, salvo: int, report: Report) -> None:
        self.untried &= ~salvo
        if isinstance(report, CountReport):
            hits = salvo if report.hits == salvo.bit_count() else 0
            self.unclear |= salvo if report.hits and not hits else 0
        else:
            hits = mask_of(report.hits)
            for cell, name in zip(report.hits, report.ships or (), strict=False):
                self._named[name] = self._named.get(name, 0) | 1 << cell
        for name, cells in (report.sunk_cells or {}).items():
            self._named[name] = mask_of(cells)
            hits |= self._named[name]
            self.unclear &= ~hits
        self.hits |= hits
        self.explained &= ~hits  # a ship has moved to where another sank
        names = report.sunk if isinstance(report.sunk, tuple) else ()
        for name in names:
            self._sink({self._lengths[name]}, salvo, self._named.get(name, 0))
        if isinstance(report.sunk, int):
            longest = max(self._rules.rows, self._rules.columns)
            lengths = set(self.afloat) or set(range(1, longest + 1))
            for _ in range(report.sunk):
                self._sink(lengths, salvo)
        if report.sunk:
            self._explain()

    def _sink(self, lengths: set[int], salvo: int, lay: int = 0) -> None:
        """Note that a ship of one of some lengths was sunk by a salvo; on ``lay`` if not 0."""
        rules = self._rules
        hits = self.open_hits
        places = [
            place
            for length in lengths
            for place in placements(rules.rows, rules.columns, length)
            if place & salvo
            and not place & ~hits
            and not barred(rules.rows, rules.columns, place, rules.touching) & ~place & hits
            and lay in (0, place)
        ]
        self.afloat -= Counter(lengths) if len(lengths) == 1 else Counter()
        # If the opponent may lie, it can be that no run of hits fits.
        if places:
            self._wrecks.append(_Wreck(places, counted=len(lengths) == 1))

    def _explain(self) -> None:
        """Rule out placements that lie across another ship, until nothing more follows."""
        while True:
            before = self.explained, len(self._wrecks)
            for wreck in self._wrecks:
                self.explained |= wreck.certain
                others = self.explained & ~wreck.certain
                if wreck.reach & others:
                    wreck.keep([place for place in wreck.places if not place & others])
                    self.explained |= wreck.certain
                if wreck.length and not wreck.counted:
                    wreck.counted = True
                    self.afloat -= Counter([wreck.length])
            self._settle()
            self._close_groups()
            if before == (self.explained, len(self._wrecks)):
                return

    def _close_groups(self) -> None:
        """Mark cells as explained that some wrecks fill completely, whichever lies where."""
        everything = reduce(or_, (wreck.reach for wreck in self._wrecks), 0)
        for reach in [*(wreck.reach for wreck in self._wrecks), everything]:
            inside = [wreck for wreck in self._wrecks if not wreck.reach & ~reach]
            lengths = [wreck.length for wreck in inside]
            if inside and all(lengths) and sum(lengths) == reach.bit_count():
                self.explained |= reach
                self._wrecks = [wreck for wreck in self._wrecks if wreck not in inside]

    def _settle(self) -> None:
        """Drop wrecks whose placement is known; bar the cells that they deny to ships that stay."""
        rules = self._rules
        settled = [wreck for wreck in self._wrecks if len(wreck.places) <= 1]
        self._wrecks = [wreck for wreck in self._wrecks if len(wreck.places) > 1]
        for wreck in settled:
            if rules.touching != "allowed" and not rules.moves:
                self._barred |= barred(rules.rows, rules.columns, wreck.reach, rules.touching)

    def _diagonals(self) -> int:
        rules = self._rules
        if rules.touching != "never" or rules.lies:
            return 0
        cells = 0
        for hit in cells_of(self.open_hits):
            around = barred(rules.rows, rules.columns, 1 << hit, "never")
            cells |= around & ~barred(rules.rows, rules.columns, 1 << hit, "corners")
        return cells


@lru_cache
def opposites(rows: int, columns: int) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Return for each cell the pairs (a neighbour, the cell on the other side).

    There is one pair for each neighbour on the board; the other side is ``NOWHERE`` if it is off
    the board. A line of hits that comes from the other side goes on at the neighbour.
    """

    def cell_at(row: int, column: int) -> int:
        if 0 <= row < rows and 0 <= column < columns:
            return row * columns + column
        return NOWHERE

    return tuple(
        tuple(
            (ahead, cell_at(row - down, column - right))
            for down, right in ((-1, 0), (1, 0), (0, -1), (0, 1))
            if (ahead := cell_at(row + down, column + right)) != NOWHERE
        )
        for row in range(rows)
        for column in range(columns)
    )


@lru_cache
def neighbours(rows: int, columns: int) -> tuple[tuple[int, ...], ...]:
    """Return for each cell those beside it along its row and its column."""
    return tuple(tuple(ahead for ahead, _ in pairs) for pairs in opposites(rows, columns))


def in_turns(groups: Sequence[list[int]], random: Random) -> list[int]:
    """Return the cells of all groups, each once: one cell of each group, then a second, and so on.

    The groups take turns in random order, and so do the cells of each. The lists are shuffled.
    """
    if not groups:
        return []
    order = list(groups)
    random.shuffle(order)
    for group in order:
        random.shuffle(group)
    # A dictionary keeps the first place of a cell that several groups name.
    merged: dict[int, None] = {}
    for number in range(max(map(len, order))):
        merged.update((group[number], None) for group in order if number < len(group))
    return list(merged)
