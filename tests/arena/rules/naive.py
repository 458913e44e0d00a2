"""The game, written the other way round: rows, columns, names and lists, one object that changes.

The oracle for ``arena.rules``, which has masks and values that never change. It goes by what the
documentation of ``Rules`` says. Cells are pairs (row, column).
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from arena.rules import Rules

Cell = tuple[int, int]


class Illegal(Exception):  # noqa: N818 - the oracle's verdict
    """The rules forbid it."""


def demand(*conditions: bool) -> None:
    if not all(conditions):
        raise Illegal


class Board:
    """One side of the board: ships by name, and what was shot."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.ships: dict[str, list[Cell]] = {}
        self.wounds: dict[str, set[Cell]] = {}
        self.tried: set[Cell] = set()
        self.lies_left = rules.lies

    @property
    def afloat(self) -> list[str]:
        return [name for name, cells in self.ships.items() if self.wounds[name] != set(cells)]

    def at(self, number: int) -> Cell:
        demand(0 <= number < self.rules.rows * self.rules.columns)
        return number // self.rules.columns, number % self.rules.columns

    def number(self, cell: Cell) -> int:
        return cell[0] * self.rules.columns + cell[1]

    def place(self, layout: Mapping[str, Sequence[int]]) -> None:
        demand(sorted(layout) == sorted(ship.name for ship in self.rules.fleet))
        for ship in self.rules.fleet:
            cells = [self.at(number) for number in layout[ship.name]]
            demand(len(cells) == ship.length, is_straight(cells))
            demand(all(self.apart(cells, placed) for placed in self.ships.values()))
            self.ships[ship.name] = cells
            self.wounds[ship.name] = set()

    def apart(self, cells: Iterable[Cell], others: Iterable[Cell]) -> bool:
        """Tell whether two ships keep the distance that the rules ask for."""
        near = [(0, 0)]
        if self.rules.touching != "allowed":
            near += [(0, 1), (1, 0), (0, -1), (-1, 0)]
        if self.rules.touching == "never":
            near += [(1, 1), (1, -1), (-1, 1), (-1, -1)]
        taken = set(others)
        return not any(
            (row + down, column + right) in taken for row, column in cells for down, right in near
        )

    def ship_at(self, cell: Cell) -> str | None:
        """Return the ship afloat that lies at a cell."""
        return next((name for name in self.afloat if cell in self.ships[name]), None)

    def moves(self) -> list[tuple[str, list[Cell]]]:
        """Return every step of a ship that was not hit, along its axis."""
        found = []
        for name in self.afloat:
            cells = self.ships[name]
            across = len({row for row, _ in cells}) == 1
            down = len({column for _, column in cells}) == 1
            steps = [(0, 1), (0, -1)] * across + [(1, 0), (-1, 0)] * down
            for down_by, right_by in steps if not self.wounds[name] else []:
                moved = [(row + down_by, column + right_by) for row, column in cells]
                others = [self.ships[other] for other in self.afloat if other != name]
                inside = all(
                    0 <= row < self.rules.rows and 0 <= column < self.rules.columns
                    for row, column in moved
                )
                if inside and all(self.apart(moved, other) for other in others):
                    found.append((name, moved))
        return found


def is_straight(cells: list[Cell]) -> bool:
    rows, columns = (sorted({cell[axis] for cell in cells}) for axis in (0, 1))
    count = len(cells)
    lies = len(rows) == 1 and columns == list(range(columns[0], columns[0] + count))
    stands = len(columns) == 1 and rows == list(range(rows[0], rows[0] + count))
    return lies or stands


class NaiveGame:
    """A game; ``due`` is what is asked: a kind, a seat, and how many shots or what salvo."""

    def __init__(self, rules: Rules, layout: Mapping[str, Sequence[int]] | None = None) -> None:
        self.rules = rules
        self.solo = layout is not None
        self.boards = {"first": Board(rules), "second": Board(rules)}
        self.result: str | None = None
        self.ending: str | None = None
        self.told: dict[str, Any] | None = None
        self.turns = {"first": 0, "second": 0}
        self.fired = 0
        self.reply = 0
        self.due: tuple[Any, ...] = ("place", "first")
        if layout is not None:
            self.boards["second"].place(layout)
            self._turn("first")

    def place(self, layout: Mapping[str, Sequence[int]]) -> None:
        seat = self.due[1]
        board = Board(self.rules)
        board.place(layout)
        self.boards[seat] = board
        if seat == "first":
            self.due = ("place", "second")
        else:
            self._turn("first")

    def _turn(self, seat: str) -> None:
        self.turns[seat] += 1
        if seat == "first" and not self.solo:
            self.reply = self._shots("second")
        self.due = ("shoot", seat, self._shots(seat))

    def _open(self, seat: str) -> int:
        tried = set() if self.rules.reshoot else self.boards[across(seat)].tried
        return self.rules.rows * self.rules.columns - len(tried)

    def _shots(self, seat: str) -> int:
        rules, open_cells = self.rules, self._open(seat)
        if isinstance(rules.shots, int):
            return min(rules.shots, open_cells)
        alive = [ship.name for ship in rules.fleet] if self.solo else self.boards[seat].afloat
        guns = {ship.name: ship.shots if rules.shots == "by-ship" else 1 for ship in rules.fleet}
        return min(sum(guns[name] for name in alive), open_cells)

    def shoot(self, numbers: Sequence[int]) -> None:
        _, seat, shots = self.due
        target = self.boards[across(seat)]
        cells = [target.at(number) for number in numbers]
        demand(len(cells) == shots, len(set(cells)) == len(cells))
        demand(self.rules.reshoot or not target.tried & set(cells))
        struck = {cell: name for cell in cells if (name := target.ship_at(cell)) is not None}
        sunk = [
            name
            for name in target.afloat
            if target.wounds[name] | {cell for cell in struck if struck[cell] == name}
            == set(target.ships[name])
        ]
        self.salvo = (seat, list(numbers), struck, sunk)
        if self.rules.lies:
            self.due = ("answer", across(seat))
        else:
            self._settle(list(struck))

    def answer(self, numbers: Sequence[int]) -> None:
        seat, fired, struck, sunk = self.salvo
        target = self.boards[across(seat)]
        demand(len(set(numbers)) == len(numbers), set(numbers) <= set(fired))
        said = [target.at(number) for number in fired if number in numbers]
        lies = set(said) ^ set(struck)
        demand(len(lies) <= target.lies_left)
        demand(not any(cell in target.ships[name] for cell in lies for name in sunk))
        target.lies_left -= len(lies)
        self._settle(said)

    def _settle(self, said: list[Cell]) -> None:
        """Count a salvo with ``said`` reported as hits."""
        seat, fired, struck, sunk = self.salvo
        target, own = self.boards[across(seat)], self.boards[seat]
        target.tried |= {target.at(number) for number in fired}
        for cell, name in struck.items():
            target.wounds[name].add(cell)
        self.fired += len(fired)
        self.told = self._report([target.number(cell) for cell in said], struck, sunk)
        if not target.afloat:
            if not self.solo and not own.afloat:
                self._end("draw", "sunk")
            elif self.rules.end == "equal-turns" and seat == "first" and not self.solo:
                self.turns["second"] += 1
                self.due = ("shoot", "second", self.reply)
            else:
                self._end(seat, "sunk")
        elif self.rules.again and said and not self.solo:
            due = self._shots(seat) if own.afloat else min(self.reply, self._open(seat))
            self.due = ("shoot", seat, due)
        elif not self.solo and not own.afloat:
            self._end("first", "sunk")
        else:
            mover = "second" if self.solo else seat
            if self.rules.moves and self.boards[mover].moves():
                self.due = ("move", mover)
            else:
                self._pass(seat)

    def _report(self, said: list[int], struck: dict[Cell, str], sunk: list[str]) -> dict[str, Any]:
        names = [ship.name for ship in self.rules.fleet if ship.name in sunk]
        news = {"named": names, "unnamed": len(names), "silent": None}[self.rules.sinkings]
        target = self.boards[across(self.salvo[0])]
        wrecks = {name: sorted(map(target.number, target.ships[name])) for name in names}
        told = {"sunk": news, "sunk_cells": wrecks if self.rules.sunk_cells else None}
        if self.rules.told == "cells":
            at_hits = [*struck.values()] if self.rules.hits_named else None
            return {"hits": said, "ships": at_hits, **told}
        by_ship = {name: [*struck.values()].count(name) for name in struck.values()}
        ships = by_ship if self.rules.told == "count-by-ship" else None
        return {"hits": len(said), "ships": ships, **told}

    def move(self, name: str | None, numbers: Sequence[int]) -> None:
        board = self.boards[self.due[1]]
        if name is not None:
            cells = sorted(board.at(number) for number in numbers)
            demand((name, cells) in [(ship, sorted(moved)) for ship, moved in board.moves()])
            board.ships[name] = cells
        self._pass("first" if self.solo else self.due[1])

    def _pass(self, seat: str) -> None:
        limit = self.rules.turn_limit
        if self.solo and self.fired >= 10 * self.rules.rows * self.rules.columns:
            self._end("second", "capped")
        elif (
            not self.solo
            and seat == "second"
            and limit is not None
            and self.turns["first"] >= limit
        ):
            left = {side: len(self.boards[side].afloat) for side in ("first", "second")}
            ahead = "first" if left["first"] > left["second"] else "second"
            self._end("draw" if left["first"] == left["second"] else ahead, "turn_limit")
        else:
            self._turn("first" if self.solo else across(seat))

    def _end(self, result: str, ending: str) -> None:
        self.result, self.ending, self.due = result, ending, ("over",)


def across(seat: str) -> str:
    return "second" if seat == "first" else "first"
