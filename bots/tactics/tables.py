"""Reads tables of plain words and numbers that lie beside a module.

Neither pathlib nor csv is used: to import them would be a tenth of a bot's start.
"""

import os.path


def beside(module: str, name: str) -> str:
    """Return the path of a file that lies in the folder of a module, given the module's file."""
    return os.path.join(os.path.dirname(os.path.abspath(module)), name)  # noqa: PTH100, PTH118, PTH120 - see above


def rows_of(path: str) -> list[list[str]]:
    """Return the rows of a table whose values have neither commas nor quotes."""
    with open(path, encoding="ascii") as lines:  # noqa: PTH123 - see above
        return [line.rstrip("\n").split(",") for line in lines]


def write_rows(path: str, rows: list[list[str]]) -> None:
    """Write such a table."""
    with open(path, "w", encoding="ascii", newline="\n") as file:  # noqa: PTH123 - see above
        file.writelines(f"{','.join(row)}\n" for row in rows)
