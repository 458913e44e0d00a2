"""Tables beside modules are read as they were written, without what takes long to import."""

import subprocess
import sys
from pathlib import Path

from bots.tactics import tables
from bots.tactics.tables import beside, rows_of, write_rows

STARTS = """
import sys
import numpy.random

before = set(sys.modules)
import bots.monte_carlo

print(sorted({"csv", "dataclasses", "pathlib"} & (set(sys.modules) - before)))
"""


def test_rows_are_read_as_they_were_written(tmp_path: Path) -> None:
    path = str(tmp_path / "table.csv")
    rows = [["", "1", "2.5"], ["44 55", "3+4", ""]]
    write_rows(path, rows)
    assert rows_of(path) == rows


def test_a_file_beside_a_module_lies_in_its_folder() -> None:
    assert Path(beside(tables.__file__, "x.csv")) == Path(tables.__file__).with_name("x.csv")


def test_a_bot_that_reads_them_starts_without_what_takes_long_to_import() -> None:
    ran = subprocess.run([sys.executable, "-c", STARTS], capture_output=True, text=True, check=True)
    assert ran.stdout == "[]\n"
