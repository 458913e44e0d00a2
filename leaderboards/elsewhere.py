"""Converts games that somebody else recorded to the table that `leaderboards` rates.

A table from elsewhere has the columns `first` and `second`, and `result` ("first", "second" or
"draw") or `first_won` (1, 0, or 0.5 for a draw; true or false); it may have `pair`, `block` and
`forfeit`. Whatever type a column has, it is read for what it says, and what is said in no way that
is sure to be understood is refused with the column, the value and the fix.
"""

from typing import Any

import pandas as pd

from leaderboards.inputs import UNIT_COLUMNS, LeaderboardError, checked_games, require_pairs

COLUMNS = ("first", "second", "result", "first_won", "pair", "block", "forfeit")
"""The columns that are read; others are ignored."""

_OF_SALVO = "first_turns"  # a column that only tables of games written by Salvo have
_WON = {
    **dict.fromkeys(("1", "1.0", "true", "yes"), "first"),
    **dict.fromkeys(("0", "0.0", "false", "no"), "second"),
    **dict.fromkeys(("0.5", ".5"), "draw"),
}


def games_from_elsewhere(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table of games as the contract of `leaderboards` has it, pairs numbered anew.

    Raises:
        LeaderboardError: If the table cannot be understood; the message says why.
    """
    _refuse_columns([str(column) for column in table.columns])
    if table.empty:
        raise LeaderboardError("games: the table has no rows; give one row a game")
    table = _without_solo_games(table.rename(columns=str))
    games = pd.DataFrame({seat: _names(table[seat]) for seat in ("first", "second")})
    games["result"] = (
        _text(table["result"]) if "result" in table else _text(table["first_won"]).map(_result)
    )
    games["forfeit"] = _text(table["forfeit"]) if "forfeit" in table else None
    for unit in UNIT_COLUMNS:
        if unit in table:
            games[unit] = _labels(table[unit])
    if "pair" in games:
        require_pairs(games)  # while pairs still have the names of the file
    for unit in set(UNIT_COLUMNS) & set(games):
        games[unit] = pd.factorize(games[unit], sort=True)[0]
    return checked_games(games)


def _without_solo_games(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table without the solo games that one written by Salvo may have."""
    if _OF_SALVO not in table:
        return table
    met = table[(_text(table["second"]) != "").to_numpy()].reset_index(drop=True)
    if met.empty:
        raise LeaderboardError("games: all of them are solo games; no two bots met")
    return met


def _refuse_columns(columns: list[str]) -> None:
    if twice := [column for column in COLUMNS if columns.count(column) > 1]:
        raise LeaderboardError(f"games: two columns are called {twice[0]!r}; rename one")
    told = f"it has {', '.join(map(repr, columns)) or 'none'}"
    for seat in ("first", "second"):
        if seat not in columns:
            raise LeaderboardError(
                f"games: the column {seat!r} is missing, {told}; give the columns first, second, "
                "and result or first_won"
            )
    given = [column for column in ("result", "first_won") if column in columns]
    if len(given) != 1:
        raise LeaderboardError(
            "games: the columns 'result' and 'first_won' are both there; leave one out"
            if given
            else f"games: a column 'result' or 'first_won' is missing, {told}; give one of them"
        )


def _names(column: "pd.Series[str]") -> "pd.Series[str]":
    names = _text(column)
    if (missing := int((names == "").sum())) > 0:
        raise LeaderboardError(
            f"games: column {column.name!r} lacks {missing} of its {len(names)} names; "
            "every game has two bots"
        )
    return names


def _text(column: "pd.Series[str]") -> "pd.Series[str]":
    name = str(column.name)
    values = [_as_text(value, name) for value in column.astype(object)]
    return pd.Series(values, name=name, dtype=object)


def _as_text(value: Any, column: str) -> str:  # noqa: ANN401 - a cell may hold anything
    if isinstance(value, str):
        return value.strip()
    if not pd.api.types.is_scalar(value) or isinstance(value, bytes):
        raise LeaderboardError(
            f"games: column {column!r} holds {value!r}; give text, a number or a truth value"
        )
    return "" if pd.isna(value) else str(value)


def _result(told: str) -> str:
    if told.lower() not in _WON:
        raise LeaderboardError(
            f"games: column 'first_won' holds {told!r}; give 1 where the first seat won, 0 where "
            "the second did, 0.5 for a draw"
        )
    return _WON[told.lower()]


def _labels(column: "pd.Series[str]") -> "pd.Series[str]":
    """Return whatever distinguishes pairs or blocks as text; no game must lack it."""
    labels = _text(column)
    if (missing := int((labels == "").sum())) > 0:
        raise LeaderboardError(
            f"games: column {column.name!r} lacks {missing} of its {len(labels)} values; give "
            "every game one, or leave the column out"
        )
    return labels
