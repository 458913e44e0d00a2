"""Reads files of games that somebody else recorded."""

import csv
from pathlib import Path

import pandas as pd

from arena.errors import UserError
from leaderboards import LeaderboardError
from leaderboards.elsewhere import COLUMNS, games_from_elsewhere


def read_games(path: Path) -> pd.DataFrame:
    """Return the games in a CSV or Parquet file as the leaderboards want them.

    Raises:
        UserError: If the file cannot be read, or says something that cannot be understood.
    """
    try:
        match path.suffix.lower():
            case ".csv":
                table = _csv(path)
            case ".parquet":
                table = pd.read_parquet(path)
            case _:
                raise UserError(f"--from {path}: give a file whose name ends in .csv or .parquet")
        return games_from_elsewhere(table)
    except LeaderboardError as error:
        raise UserError(f"--from {path}: {error}") from error
    except ImportError as error:
        raise UserError(
            f"--from {path}: Parquet takes another package; `pip install pyarrow`, or give a .csv"
        ) from error
    except OSError as error:
        raise UserError(f"--from {path}: cannot be read: {error.strerror or error}") from error
    except (ValueError, csv.Error) as error:
        # What pandas and pyarrow raise of a malformed file, and of text that is not UTF-8.
        line = " ".join(str(error).split())
        raise UserError(f"--from {path}: cannot be read: {line}") from error


def _csv(path: Path) -> pd.DataFrame:
    """Return the columns that matter, as text: a bot may be called 7, NA or 1e5."""
    shared: dict[str, str] = {}
    with path.open(encoding="utf-8-sig", newline="") as file:
        lines = csv.reader(file, strict=True)
        header = [name.strip() for name in next(lines, [])]
        there = [place for place, name in enumerate(header) if name in COLUMNS]
        rows = []
        for row in lines:
            if row and len(row) != len(header):
                raise UserError(
                    f"--from {path}: line {lines.line_num} has {len(row)} fields and the header "
                    f"{len(header)}; separate fields by commas, and quote those that hold one"
                )
            if row:
                rows.append([shared.setdefault(row[place], row[place]) for place in there])
    table = pd.DataFrame(rows, columns=[header[place] for place in there], dtype=object)
    # Columns that mean nothing here are named all the same: a refusal lists them.
    return table.assign(**dict.fromkeys(name for name in header if name not in COLUMNS))
