"""Reads the record into the tables that the leaderboards rate."""

import itertools
from collections.abc import Collection, Mapping
from typing import Any

import pandas as pd

from arena.rules import Rules
from arena.store import RESULT_COLUMNS, Luck, Store
from leaderboards.inputs import E_VALUES
from salvo.reports.tables.solo_shots import solo_shots

_CHUNK = 50_000  # games that are read from the record at a time


def game_table(store: Store, tournament: str) -> pd.DataFrame:
    """Return every game of a tournament, one a row, solo games among them.

    A text that comes up again, such as a bot's name, is kept once: a million games take some
    hundred megabytes.
    """
    rows = store.results(tournament)
    shared: dict[str, str] = {}
    parts = []
    while chunk := list(itertools.islice(rows, _CHUNK)):
        columns = zip(RESULT_COLUMNS, zip(*chunk, strict=True), strict=True)
        parts.append(pd.DataFrame({name: _column(name, cells, shared) for name, cells in columns}))
    if not parts:
        return pd.DataFrame(columns=list(RESULT_COLUMNS), dtype=object)
    return pd.concat(parts, ignore_index=True)


def _column(name: str, cells: tuple[Any, ...], shared: dict[str, str]) -> "pd.Series[Any]":
    if isinstance(cells[0], int):
        return pd.Series(cells)
    if name == "id":
        return pd.Series(cells, dtype=object)
    return pd.Series([shared.setdefault(cell, cell) for cell in cells], dtype=object)


def with_winners(results: pd.DataFrame) -> pd.DataFrame:
    """Return games with the name of who won, and whether they ended by forfeit, not the seats."""
    seats = results["result"]
    winner = results["first"].where(seats == "first", results["second"])
    named = results.assign(
        game=results["id"],
        winner=winner.where(seats != "draw", None),
        forfeit=results["forfeit"].notna(),
    )
    leading = ["game", "first", "second", "winner", "forfeit", "termination"]
    others = [name for name in RESULT_COLUMNS if name not in {"id", "result", "reason", *leading}]
    return named[[*leading, *others, "reason"]]


def renamed(results: pd.DataFrame, names: Mapping[str, str]) -> pd.DataFrame:
    """Return the games between those that ``names`` holds, under the names that it gives them."""
    second = results["second"]
    kept = results[results["first"].isin(list(names)) & (second.isna() | second.isin(list(names)))]
    new = {seat: kept[seat].map(lambda name: names.get(name, name)) for seat in ("first", "second")}
    return kept.assign(**new)


def without_pairings(results: pd.DataFrame, pairings: Collection[frozenset[str]]) -> pd.DataFrame:
    """Return games without those of some pairings, by their names in the record."""
    seats = zip(results["first"], results["second"], strict=True)
    kept = [frozenset(both) not in pairings for both in seats]
    return results[pd.Series(kept, results.index, bool)]  # an empty list would choose no column


def two_player_games(
    results: pd.DataFrame, pairs: int | Mapping[tuple[str, ...], int] | None = None
) -> pd.DataFrame:
    """Return the two-player games, of each pairing the first so many pairs; None for all."""
    games = results[results["second"].notna()]
    if pairs is None:
        return games
    if isinstance(pairs, int):
        return games[games["pair"] < pairs]
    seats = zip(games["first"], games["second"], strict=True)
    wanted = [pairs.get((min(both), max(both)), 0) for both in seats]
    return games[games["pair"] < pd.Series(wanted, index=games.index, dtype="int64")]


def solo_games(results: pd.DataFrame, layouts: int | None = None) -> pd.DataFrame:
    """Return the solo games, against the first ``layouts`` layouts if given."""
    solo = results[results["second"].isna()]
    return solo if layouts is None else solo[solo["pair"] < layouts]


def turns_table(
    solo: pd.DataFrame, rules: Rules, luck: Mapping[str, Luck] | None = None
) -> pd.DataFrame:
    """Return the solo games as the leaderboards want them, with what is known of their luck.

    A forfeited game counts as a search of the whole board: it must never pay to give up on a layout
    that goes badly. Layouts are the same where the same seed drew them, whatever the tournament
    says: so bots are compared layout by layout where they have any in common.
    """
    forfeit = solo["forfeit"].notna()
    shots = rules.cells if solo.empty else solo_shots(rules)  # no game, no matter what rules
    turns = -(-rules.cells // shots)
    frame = pd.DataFrame(
        {
            "bot": solo["first"],
            "layout": solo["second_seed"],
            "turns": solo["first_turns"].mask(forfeit, turns),
            "shots": solo["first_shots"].mask(forfeit, rules.cells),
            "hits": solo["first_hits"].mask(forfeit, 0),
            "forfeit": forfeit,
        }
    )
    if not luck:
        return frame
    in_turns = solo["id"].map({game: one.turns for game, one in luck.items()}).astype(float)
    columns = {"luck": in_turns, "luck_shots": in_turns * shots, "block": solo["block"]}
    return frame.assign(**columns, **_e_values(solo["id"], luck))


def _e_values(games: "pd.Series[str]", luck: Mapping[str, Luck]) -> dict[str, list[float]]:
    known = [luck[game].log_e_values if game in luck else () for game in games]
    # A game of which nothing is known speaks neither for chance nor against it.
    columns = itertools.zip_longest(*known, fillvalue=0.0)
    return {f"{E_VALUES}{number}": list(column) for number, column in enumerate(columns, 1)}
