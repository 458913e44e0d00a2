"""Plays whole games side by side, a learner in one seat of each; its opponents are of any kind."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from arena.environments import BotSeat
from arena.rules import (
    CellsReport,
    Layout,
    Place,
    Rules,
    Seat,
    Shoot,
    ShootRequest,
    State,
    apply,
    begin,
    name_layout,
    other,
)
from bots.tactics.learned.placement_network import Evidence, Floats

Look = Callable[[Evidence], Floats]
"""Tells how likely each cell of some boards has a ship, boards x cells."""

SEATS: tuple[Seat, Seat] = ("first", "second")


class NetworkSeat:
    """One seat of a game that a network shoots for: what it knows, and what it does next."""

    def __init__(self, rules: Rules, layout: Layout) -> None:
        self._layout = name_layout(rules, layout)
        longest_first = sorted(rules.fleet, key=lambda ship: -ship.length)
        self._numbers = {ship.name: number for number, ship in enumerate(longest_first)}
        self.known = Evidence.none(rules.cells, len(rules.fleet))

    def place(self, state: State) -> State:
        """Return the state with its fleet placed."""
        return apply(state, Place(self._layout))

    def shoot(self, state: State, cells: Sequence[int]) -> State:
        """Return the state after a salvo, and take in its report."""
        state = apply(state, Shoot(cells))
        assert state.salvo is not None
        report = state.salvo.report
        assert isinstance(report, CellsReport)
        assert isinstance(report.sunk, tuple)
        self.known = self.known.some([0])  # a copy: what was known before is learned from
        self.known.note(cells, report.hits, [self._numbers[name] for name in report.sunk])
        return state


class Duel:
    """One game of a learner.

    Args:
        rules: Shots a turn are any, cells are reported, and sinkings are named.
        seat: The learner's.
        own: What the learner shoots by.
        opponent: The other seat; a bot's game has begun.

    Attributes:
        lessons: What the learner knew before each of its salvos.
    """

    def __init__(
        self, rules: Rules, seat: Seat, own: NetworkSeat, opponent: NetworkSeat | BotSeat
    ) -> None:
        self._seat, self.own, self._opponent = seat, own, opponent
        self._state = begin(rules)
        self.lessons: list[Evidence] = []
        for each in SEATS:
            if each == seat:
                self._state = own.place(self._state)
            elif isinstance(opponent, NetworkSeat):
                self._state = opponent.place(self._state)
            else:
                self._state = opponent.act(self._state)
        self._let_the_bot_act()

    @property
    def turn(self) -> NetworkSeat | None:
        """Return who is to shoot by a network; None when the game is over."""
        request = self._state.request
        if request is None or self._bot_failed:
            return None
        if request.seat == self._seat:
            return self.own
        assert isinstance(self._opponent, NetworkSeat)
        return self._opponent

    @property
    def shots(self) -> int:
        """Return how many shots are due."""
        assert isinstance(self._state.request, ShootRequest)
        return self._state.request.shots

    def shoot(self, cells: Sequence[int]) -> None:
        """Fire the salvo of whoever's turn it is."""
        seat = self.turn
        assert seat is not None
        if seat is self.own:
            self.lessons.append(seat.known)
        self._state = seat.shoot(self._state, cells)
        if seat is self.own and isinstance(self._opponent, BotSeat):
            self._opponent.hear(tuple(cells))
        self._let_the_bot_act()

    @property
    def won(self) -> bool:
        """Return whether the learner won the game, which is over."""
        return self._bot_failed or self._state.result == self._seat

    @property
    def margin(self) -> float:
        """Return how many more ships of the learner than of its opponent are afloat, as a share."""
        ours, theirs = (self._afloat(seat) for seat in (self._seat, other(self._seat)))
        return (ours - theirs) / len(self._state.rules.fleet)

    def opponents_ships(self) -> list[int]:
        """Return the mask of each ship that the learner shot at, the longest first."""
        waters = self._state.waters.of(other(self._seat))
        assert waters is not None
        return sorted(waters.ships, key=lambda mask: -mask.bit_count())

    def _afloat(self, seat: Seat) -> int:
        waters = self._state.waters.of(seat)
        assert waters is not None
        return len(waters.ships) - waters.sunk.bit_count()

    @property
    def _bot_failed(self) -> bool:
        return isinstance(self._opponent, BotSeat) and self._opponent.fault is not None

    def _let_the_bot_act(self) -> None:
        if isinstance(self._opponent, BotSeat):
            self._state = self._opponent.act(self._state)


def play(duels: Sequence[Duel], look: Look, earlier: Look) -> None:
    """Play games to their end: learners shoot by one network, earlier selves by another."""
    while any(duel.turn for duel in duels):
        for is_own, network in ((True, look), (False, earlier)):
            turns = [(duel, duel.turn) for duel in duels]
            due = [(duel, seat) for duel, seat in turns if seat and (seat is duel.own) == is_own]
            if not due:
                continue
            known = Evidence.joined(seat.known for _, seat in due)
            shots = np.array([duel.shots for duel, _ in due])
            for (duel, _), cells in zip(due, salvos(network, known, shots), strict=True):
                duel.shoot(cells)


def salvos(look: Look, known: Evidence, shots: NDArray[np.int64]) -> list[list[int]]:
    """Return so many cells for each board, each the likeliest if those before it missed."""
    fired = Evidence(known.missed.copy(), *known[1:])
    chosen: list[list[int]] = [[] for _ in shots]
    for number in range(shots.max()):
        rows = np.flatnonzero(shots > number)
        cells = np.where(fired.untried[rows], look(fired.some(rows)), -1).argmax(axis=1)
        fired.missed[rows, cells] = True
        for row, cell in zip(rows.tolist(), cells.tolist(), strict=True):
            chosen[row].append(cell)
    return chosen
