"""Runs what the benchmark `transport` compares: arenas with their bots, and two C programs."""

import contextlib
import shutil
import subprocess
from collections.abc import Sequence
from importlib.resources import as_file, files
from pathlib import Path
from typing import NamedTuple, Self

import msgspec

from arena.errors import UserError
from benchmarks.costs.slices import Cost, Installation, Order

C_ROUND_TRIPS = 1000
"""In a slice of C."""


class Best(NamedTuple):
    """The least processor time in any slice: of a round trip, of a game besides, and of both.

    The last is that of whole games, by round trip.
    """

    turn_us: float
    game_us: float
    whole_us: float

    def rounded(self) -> dict[str, float]:
        """Return the same for the outcome."""
        return {name: round(value, 2) for name, value in self._asdict().items()}


class _Contender:
    """A program that measures a slice for each line that it is sent.

    It runs while this is entered as a context, and may be entered again: how its pages happen to
    lie in the caches lasts as long as a process, and matters more than most changes.
    """

    def __init__(self, name: str, command: Sequence[str]) -> None:
        self.name = name
        self._command = command
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(
            self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process is not None
        self._process.communicate()  # closes its input, at which it ends

    def ask(self) -> bytes:
        """Return the line for the next slice."""
        assert self._process is not None
        assert self._process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.write(b"\n")
            self._process.stdin.flush()
        return self.line()

    def line(self) -> bytes:
        """Return the next line.

        Raises:
            UserError: If there is none.
        """
        assert self._process is not None
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            errors = self._process.communicate()[1].decode(errors="replace").split("\n")
            why = errors[-2] if len(errors) > 1 else "it ended without a word"
            raise UserError(f"{self.name} cannot be measured: {why}")
        return line


class Arena(_Contender):
    """The arena of an installation, which plays slices of games."""

    installed: Installation

    def __init__(self, name: str, python: str, order: Order) -> None:
        program = str(files("benchmarks.costs") / "slices.py")
        super().__init__(name, [python, "-P", program, msgspec.json.encode(order).decode()])
        self._costs: list[Cost] = []

    def __enter__(self) -> Self:
        super().__enter__()
        self.installed = msgspec.json.decode(self.line(), type=Installation)
        return self

    @property
    def origin(self) -> str:
        """What plays, in words."""
        what = self.installed
        built = "with" if what.optimised else "without"
        return (
            f"{self.name}: Salvo {what.salvo}, Python {what.python} built {built} profile-guided "
            "optimisation"
        )

    def measure(self) -> None:
        """Measure a slice."""
        self._costs.append(msgspec.json.decode(self.ask(), type=Cost))

    def best(self) -> Best:
        """Return the least of all slices."""
        costs = self._costs
        record_ns = min(cost.record_ns / cost.recorded for cost in costs if cost.recorded)
        whole_ns = min((cost.turns_ns + cost.games_ns) / cost.turns for cost in costs)
        return Best(
            turn_us=min(cost.turns_ns / cost.turns for cost in costs) / 1e3,
            game_us=(min(cost.games_ns / cost.games for cost in costs) + record_ns) / 1e3,
            whole_us=(whole_ns + record_ns * costs[0].games / costs[0].turns) / 1e3,
        )


class InC(_Contender):
    """Two C processes, by the path of their program."""

    def __init__(self, program: str) -> None:
        super().__init__("C to C", [program, str(C_ROUND_TRIPS)])
        self._all_ns: list[float] = []

    def measure(self) -> None:
        """Measure a slice."""
        self._all_ns.append(float(self.ask()))

    def best_us(self) -> float:
        """Return the least processor time of a round trip in any slice, in microseconds."""
        return min(self._all_ns) / 1e3


def compiled(folder: Path) -> str | None:
    """Return the path of the yardstick's program; None if it cannot be compiled here."""
    compiler = shutil.which("cc")
    if compiler is None:
        return None
    program = str(folder / "pingpong")
    with as_file(files("benchmarks.costs") / "pingpong.c") as source:
        subprocess.run([compiler, "-O2", "-o", program, str(source)], check=True)
    return program
