"""Measures the processor time of `salvo tournament` with many bots until it has its first game.

Each bot is a file of its own. The command is interrupted when its record has a game, and ends when
the block in play is finished, which counts too; then it is run again, and goes on.
"""

import contextlib
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from arena.errors import UserError
from benchmarks.costs.processor import byte_compile, python_of, used_s
from benchmarks.lines import Note, Target, aligned, outcome_line, target_table
from benchmarks.options import against, isolation, option
from salvo.cli.options.run_options import choose_level

AIM_S = 20.0
_SCHEDULES = {"swiss": ("--games", "20"), "round-robin": ("--games", "2")}
_SEED = "123456789" * 4
"""One that nobody guesses, so that no warning of it is worked out."""
_LOOK_S = 0.1
_ENDS = (0, 130, -signal.SIGINT)
"""Exit codes: few bots had played everything before it could be interrupted, or it was.

Python may end by the signal itself, though it was caught: if it came while a string was executed,
as when a dataclass is made during an import.
"""

_BOT = """from arena import Bot, run


class Numbered(Bot):
    version = "{number}"

    def choose_shots(self, count):
        return self.untried[:count]


run(Numbered)
"""


@dataclass(frozen=True)
class Settings:
    """The options."""

    bots: int = option(1415, "Bots, each a file of its own.", least=2)
    against: Path | None = against()
    isolation: str = isolation()


class _Start(NamedTuple):
    """The start of a tournament: which, of which installation, and what it took."""

    schedule: str
    when: str
    installation: str
    processor_s: float


def run(settings: Settings) -> Iterator[str]:
    """Yield a table, one of targets, and the outcome.

    Raises:
        UserError: If a tournament fails, or another installation has no interpreter.
    """
    level = choose_level(settings.isolation).level.value
    pythons = {"this": sys.executable}
    if settings.against is not None:
        pythons["before"] = python_of(settings.against)
    for python in pythons.values():
        byte_compile(python)
    starts = []
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        bots = _written(folder, settings.bots)
        for schedule, amount in _SCHEDULES.items():
            words = ["tournament", *bots, "--schedule", schedule, *amount, "--layouts", "0"]
            words += ["--workers", "1", "--isolation", level, "--seed", _SEED]
            for when in ("first", "resumed"):
                for installation, python in pythons.items():
                    record = folder / f"{schedule}-{installation}.sqlite3"
                    spent_s = _until_first_game([python, "-P", "-m", "salvo", *words], record)
                    starts.append(_Start(schedule, when, installation, spent_s))
                    yield Note(f"{schedule}, {when}, {installation}: {spent_s:.1f} s")
    yield _table(starts, settings.bots)
    yield ""
    yield target_table(
        Target(
            f"{one.schedule}, {one.when}: processor seconds to the first game",
            f"{AIM_S:g} or less",
            f"{one.processor_s:.1f}",
            one.processor_s <= AIM_S,
        )
        for one in starts
        if one.installation == "this"
    )
    compared = {} if settings.against is None else {"ratios": _ratios(starts)}
    yield outcome_line(
        "many-bots",
        bots=settings.bots,
        isolation=level,
        seconds=[(*one[:3], round(one.processor_s, 1)) for one in starts],
        **compared,
    )


def _written(folder: Path, count: int) -> list[str]:
    """Write bots, and return the names of their files."""
    for number in range(count):
        (folder / f"bot{number:04}.py").write_text(_BOT.format(number=number), encoding="utf-8")
    return [f"bot{number:04}.py" for number in range(count)]


def _until_first_game(command: Sequence[str], record: Path) -> float:
    """Run a command until its record has one game more, and return the processor time it took."""
    before_s, before = used_s(), _games(record)
    with tempfile.TemporaryFile("w+") as said:
        process = subprocess.Popen(
            [*command, "--db", record.name], cwd=record.parent, stdout=said, stderr=said
        )
        try:
            while process.poll() is None and _games(record) == before:
                time.sleep(_LOOK_S)
            process.send_signal(signal.SIGINT)
        finally:
            code = process.wait()
        if code not in _ENDS:
            said.seek(0)
            what = f"{command[0]}: its `salvo tournament` ended with code {code}"
            raise UserError(f"{what}: {said.read()[-400:]}")
    return used_s() - before_s


def _games(record: Path) -> int:
    """Return how many games a record has; none before it is there."""
    with contextlib.suppress(sqlite3.OperationalError):
        address = f"file:{record}?mode=ro"
        with contextlib.closing(sqlite3.connect(address, uri=True)) as connection:
            return int(connection.execute("SELECT COUNT(*) FROM games").fetchone()[0])
    return 0


def _by_start(starts: Sequence[_Start]) -> dict[str, list[float]]:
    """Return the seconds of each start: here, and in another installation if there is one."""
    found: dict[str, list[float]] = {}
    for one in starts:
        found.setdefault(f"{one.schedule}, {one.when}", []).append(one.processor_s)
    return found


def _ratios(starts: Sequence[_Start]) -> dict[str, float]:
    return {start: round(here / there, 3) for start, (here, there) in _by_start(starts).items()}


def _table(starts: Sequence[_Start], bots: int) -> str:
    """Return the seconds of each start, with those before and the ratio where there are any."""
    rows = []
    for start, (here, *there) in _by_start(starts).items():
        ratios = [f"{here / one:.3f}" for one in there]
        rows.append([start, f"{here:.1f}", *(f"{one:.1f}" for one in there), *ratios])
    what = f"processor seconds to the first game of {bots:,} bots"
    return aligned(rows, [what, "this", "before", "ratio"][: len(rows[0])])
