"""Checks incoming tables against the contract that ``leaderboards`` states.

Everything behind this module may trust its tables: the columns are there, names are text, results
are results. What is wrong raises a `LeaderboardError` that names the column, the value and the fix.
"""

from collections.abc import Collection

import numpy as np
import pandas as pd

GAMES_A_PAIR = 2
RESULTS = ("first", "second", "draw")
SEATS = ("first", "second")
GAME_COLUMNS = ("first", "second", "result", "forfeit")
UNIT_COLUMNS = ("pair", "block")
SOLO_COLUMNS = ("bot", "layout", "turns", "shots", "hits", "forfeit")
LUCK_COLUMNS = ("luck", "luck_shots", "block")
E_VALUES = "log_e_"  # how the names of columns of e-values begin


class LeaderboardError(ValueError):
    """A table that breaks the contract; the message names the column, the value and the fix."""


def checked_games(games: pd.DataFrame, bots: Collection[str] | None = None) -> pd.DataFrame:
    """Return the named columns of two-player games, checked, and only those between `bots`.

    `forfeit` is then one of "first", "second" and "".

    Raises:
        LeaderboardError: If a column is missing or a value has no meaning.
    """
    if games.empty:
        return pd.DataFrame({column: [] for column in GAME_COLUMNS})
    _require_columns(games, GAME_COLUMNS, "games")
    units = [column for column in UNIT_COLUMNS if column in games.columns]
    table = games.loc[:, [*GAME_COLUMNS, *units]]
    table = table.assign(
        forfeit=table["forfeit"].astype(object).where(table["forfeit"].notna(), "")
    )
    for seat in SEATS:
        _require_names(table[seat])
    _require_one_of(table["result"], RESULTS)
    _require_one_of(table["forfeit"], (*SEATS, ""))
    for column in units:
        _require_whole(table[column])
    if (alone := table["first"] == table["second"]).any():
        raise LeaderboardError(
            f"games: bot {table.loc[alone, 'first'].iloc[0]!r} plays itself; "
            "leave such games out, they say nothing about strength"
        )
    loser = table["result"].map({"first": "second", "second": "first", "draw": "nobody"})
    if (torn := (table["forfeit"] != "") & (table["forfeit"] != loser)).any():
        row = table.loc[torn].iloc[0]
        raise LeaderboardError(
            f"games: column 'forfeit' is {row['forfeit']!r} where 'result' is {row['result']!r}; "
            "'forfeit' names the seat that lost by forfeit, or is None"
        )
    if "pair" in units:
        require_pairs(table)
    if bots is not None:
        table = table[table["first"].isin(list(bots)) & table["second"].isin(list(bots))]
    return table


def checked_solo(solo: pd.DataFrame) -> pd.DataFrame:
    """Return the named columns of solo games, checked against the contract.

    Raises:
        LeaderboardError: If a column is missing or a value has no meaning.
    """
    if solo.empty:
        return pd.DataFrame({column: [] for column in SOLO_COLUMNS})
    columns = SOLO_COLUMNS + (LUCK_COLUMNS if "luck" in solo.columns else ())
    _require_columns(solo, columns, "solo")
    e_values = tuple(e_value_columns(solo) if "luck" in solo.columns else ())
    columns += e_values
    table = solo.loc[:, list(columns)]
    _require_names(table["bot"])
    for column in ("layout", "turns", "shots", "hits", "block"):
        if column in columns:
            _require_whole(table[column])
    for column in {"luck", "luck_shots", *e_values} & set(columns):
        _require_numbers(table[column])
    _require_one_of(table["forfeit"], (True, False))
    for column in ("turns", "shots"):
        if (table[column] < 1).any():
            raise LeaderboardError(
                f"solo: column {column!r} holds {table[column].min()}; a finished search takes at "
                "least one, and a forfeited one counts as a search of the whole board"
            )
    if (table["hits"] < 0).any() or (table["hits"] > table["shots"]).any():
        raise LeaderboardError("solo: column 'hits' must lie between 0 and 'shots' in every row")
    forfeit = table["forfeit"].astype(bool)
    # What was hit before giving up is no merit: the whole board counts as searched.
    return table.assign(forfeit=forfeit, hits=table["hits"].mask(forfeit, 0))


def e_value_columns(solo: pd.DataFrame) -> list[str]:
    """Return the names of the columns of e-values of a table, in order."""
    return [str(column) for column in solo.columns if str(column).startswith(E_VALUES)]


def require_pairs(table: pd.DataFrame) -> None:
    """Check that no pair of games, of whatever name, has more than two.

    Raises:
        LeaderboardError: If one has.
    """
    seats = np.sort(table[list(SEATS)].to_numpy(dtype=object), axis=1)
    keys = pd.DataFrame(
        {"one": seats[:, 0], "other": seats[:, 1], "pair": table["pair"].to_numpy()}
    )
    sizes = keys.groupby(list(keys), sort=True).size()
    if (many := sizes[sizes > GAMES_A_PAIR]).size:
        one, other, pair = many.index[0]
        raise LeaderboardError(
            f"games: pair {pair} of {one!r} and {other!r} has {many.iloc[0]} games; a pair is two, "
            "with the seats swapped: give each its own number, or leave out the column 'pair' "
            "(games that may depend on each other go by 'block')"
        )


def _require_columns(table: pd.DataFrame, columns: Collection[str], name: str) -> None:
    if missing := [column for column in columns if column not in table.columns]:
        raise LeaderboardError(
            f"{name}: the column {missing[0]!r} is missing; give the columns {', '.join(columns)}"
        )


def _require_names(column: "pd.Series[str]") -> None:
    for value in column.unique().tolist():
        if not isinstance(value, str) or not value:
            raise LeaderboardError(
                f"column {column.name!r} holds {value!r}; a bot's name is text and not empty"
            )


def _require_one_of(column: "pd.Series[str]", allowed: Collection[str | bool]) -> None:
    for value in column.unique().tolist():
        if value not in allowed:
            wanted = ", ".join(repr(one) for one in allowed)
            raise LeaderboardError(f"column {column.name!r} holds {value!r}; use one of {wanted}")


def _require_whole(column: "pd.Series[int]") -> None:
    if column.isna().any():
        raise LeaderboardError(
            f"column {column.name!r} lacks {int(column.isna().sum())} of its {len(column)} values; "
            "give a whole number in every row"
        )
    if not pd.api.types.is_integer_dtype(column):
        raise LeaderboardError(
            f"column {column.name!r} has values of type {column.dtype}; give whole numbers"
        )


def _require_numbers(column: "pd.Series[float]") -> None:
    if not pd.api.types.is_numeric_dtype(column) or np.isinf(column).any():
        raise LeaderboardError(
            f"column {column.name!r} must hold finite numbers, and NaN where one is not known"
        )
