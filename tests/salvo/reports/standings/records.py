"""Stands in for records and leagues, so that standings can be had of a few games."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from arena.entrants import Entrant
from arena.isolation import Program
from arena.league import Entry
from arena.records import Settings
from arena.rules import preset
from arena.store import RESULT_COLUMNS, Look, Tournament

Row = tuple[Any, ...]


def tournament(names: Iterable[str], kind: str = "tournament", **more: Any) -> Tournament:  # noqa: ANN401 - the fields of an entrant's program
    """Return a tournament of these bots; ``more`` is given to the program of the last."""
    entrants = [Entrant(name, Program((), "", ()), "") for name in names]
    if more:
        last = entrants.pop()
        entrants.append(Entrant(last.name, Program((), "", (), **more), ""))
    return Tournament(
        name="first",
        kind=kind,
        seed="1",
        settings=Settings(),
        rules=preset("salvo"),
        entrants=tuple(entrants),
    )


def met(one: str, other: str, results: Sequence[str]) -> list[Row]:
    """Return the games of two bots: w, l and d for ``one``, who sits first in every other game."""
    rows = []
    for game, result in enumerate(results):
        seats = (one, other) if game % 2 == 0 else (other, one)
        won = {"w": one, "l": other}.get(result)
        ended = "draw" if won is None else ("first", "second")[seats.index(won)]
        rows.append((*seats, game // 2, ended))
    return rows


def alone(bot: str, *turns: int) -> list[Row]:
    """Return games of a bot alone that took so many turns."""
    return [(bot, None, layout, "first", taken) for layout, taken in enumerate(turns)]


class Record:
    """Stands in for the open record of a tournament."""

    def __init__(
        self, played: Tournament, *rows: Iterable[Row], looks: Sequence[Look] = ()
    ) -> None:
        self.path = Path("no folder", "salvo.sqlite3")
        self._tournament, self._looks = played, looks
        self._rows = [row for some in rows for row in some]

    def results(self, _name: str) -> Iterator[Row]:
        for number, row in enumerate(self._rows):
            first, second, pair, result, *taken = row
            filled = dict.fromkeys(RESULT_COLUMNS, 0) | {
                "id": f"g{number}",
                "first": first,
                "second": second,
                "pair": pair,
                "result": result,
                "termination": "sunk",
                "reason": "so",
                "forfeit": None,
                "first_turns": taken[0] if taken else 20,
                "first_shots": 50,
                "first_hits": 17,
                "second_seed": pair,
            }
            yield tuple(filled[column] for column in RESULT_COLUMNS)

    def played(self, _name: str) -> dict[tuple[tuple[str, ...], int], int]:
        blocks: dict[tuple[tuple[str, ...], int], int] = {}
        for first, second, *_ in self._rows:
            key = tuple(sorted(filter(None, (first, second)))), 0
            blocks[key] = blocks.get(key, 0) + 1
        return blocks

    def tournament_names(self) -> list[str]:
        return [self._tournament.name]

    def tournament(self, _name: str | None = None) -> Tournament:
        return self._tournament

    def looks(self, _name: str) -> Sequence[Look]:
        return self._looks

    def isolation_levels(self, _name: str) -> list[str]:
        return []

    def luck(self, *_: object) -> dict[str, Any]:
        return {}

    def reported(self, _name: str) -> list[Any]:
        return []


def league_of(*entries: Entry, record: Tournament, missing: int = 0, **more: Any) -> Any:  # noqa: ANN401 - a league as far as it is asked
    """Return what stands in for a league of four games a pairing."""
    charter = {"games": 4, "anchor": None, "tournaments": ()}
    given = {"anchor": None, "left_out": frozenset[frozenset[str]]()} | more
    return SimpleNamespace(
        **{key: value for key, value in given.items() if key != "charter"},
        entries=list(entries),
        folder=Path("league"),
        charter=SimpleNamespace(**charter | given.get("charter", {})),
        tournament=lambda: record,
        missing_games=lambda _: missing,
    )
