"""Measures the processor time of round trips between the arena and two bots, beside C to C.

Wall time on a busy machine says little, so the processor time of the arena's process, both bots and
the record is summed up, in slices of two games that alternate between those compared; of each the
least counts. The starts of processes do not count, and all run on one core. The same games are then
played by the same bots in the arena's process, as training plays them.
"""

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from importlib.resources import as_file, files
from pathlib import Path
from typing import NamedTuple, Self

import msgspec

from arena.errors import UserError
from arena.rules import PRESETS
from benchmarks.costs.processor import python_of
from benchmarks.costs.slices import Cost, Installation, Order
from benchmarks.lines import Note, aligned, outcome_line
from benchmarks.options import against, isolation, option
from salvo.cli.options.run_options import choose_level
from salvo.rule_files import read_rules

AIM = 0.20
AIM_AGAINST = 0.75
_OURS = "this Salvo"
PAIRS = 20
"""Pairs of games that are recorded together."""

C_ROUND_TRIPS = 1000
"""In a slice of C."""


@dataclass(frozen=True)
class Settings:
    """The options."""

    rounds: int = option(10, "How often to begin anew, with fresh processes.")
    slices: int = option(100, "How many slices of each in a round.")
    against: Path | None = against()
    isolation: str = isolation()
    rules: str = option("salvo", f"The rules: {', '.join(PRESETS)}, or a TOML file.")


class _Best(NamedTuple):
    """The least processor time in any slice."""

    turn_us: float
    game_us: float  # the overhead: what it takes besides its round trips
    whole_us: float  # of whole games, by round trip
    in_process_us: float  # of whole games between bots of the arena's process, by round trip

    def rounded(self) -> dict[str, float]:
        return {name: round(value, 2) for name, value in self._asdict().items()}


class _Contender:
    """A program that measures a slice for each line that it is sent.

    It runs while this is entered as a context, and may be entered again: how its pages happen to
    lie in the caches lasts as long as a process, and matters more than most changes.
    """

    _process: subprocess.Popen[bytes]

    def __init__(self, name: str, command: Sequence[str]) -> None:
        self.name = name
        self._command = command

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(
            self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()  # closes its input, at which it ends

    def ask(self) -> bytes:
        """Return the line for the next slice."""
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
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            errors = self._process.communicate()[1].decode(errors="replace").split("\n")
            why = errors[-2] if len(errors) > 1 else "it ended without a word"
            raise UserError(f"{self.name} cannot be measured: {why}")
        return line


class _Arena(_Contender):
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
        what = self.installed
        built = "with" if what.optimised else "without"
        return (
            f"{self.name}: Salvo {what.salvo}, Python {what.python} built {built} profile-guided "
            "optimisation"
        )

    def measure(self) -> None:
        self._costs.append(msgspec.json.decode(self.ask(), type=Cost))

    def best(self) -> _Best:
        costs = self._costs
        record_ns = min(cost.record_ns / cost.recorded for cost in costs if cost.recorded)
        whole_ns = min((cost.turns_ns + cost.games_ns) / cost.turns for cost in costs)
        return _Best(
            turn_us=min(cost.turns_ns / cost.turns for cost in costs) / 1e3,
            game_us=(min(cost.games_ns / cost.games for cost in costs) + record_ns) / 1e3,
            whole_us=(whole_ns + record_ns * costs[0].games / costs[0].turns) / 1e3,
            in_process_us=min(cost.in_process_ns / cost.turns for cost in costs) / 1e3,
        )


class _InC(_Contender):
    """Two C processes, by the path of their program."""

    def __init__(self, program: str) -> None:
        super().__init__("C to C", [program, str(C_ROUND_TRIPS)])
        self._all_ns: list[float] = []

    def measure(self) -> None:
        self._all_ns.append(float(self.ask()))

    def best_us(self) -> float:
        return min(self._all_ns) / 1e3


def run(settings: Settings) -> Iterator[str]:
    """Yield a table, ratios, and the outcome.

    Raises:
        UserError: If this is not Linux, or an installation cannot be measured.
    """
    if sys.platform != "linux":
        raise UserError(
            "only Linux reports the processor time of another process that still runs; run it there"
        )
    rules, level = read_rules(settings.rules), choose_level(settings.isolation).level
    pythons = {_OURS: sys.executable}
    if settings.against is not None:
        pythons[str(settings.against)] = python_of(settings.against)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        bot = stack.enter_context(as_file(files("benchmarks.costs") / "precomputed_bot.py"))
        stack.enter_context(_on_one_core())
        block = min(settings.slices, PAIRS) * 2
        order = Order(rules, level.value, str(bot), block, str(folder))
        arenas = [_Arena(name, python, order) for name, python in pythons.items()]
        yardstick = _compiled(folder)
        in_c = None if yardstick is None else _InC(yardstick)
        measured: list[_Arena | _InC] = [*arenas] if in_c is None else [in_c, *arenas]
        for number in range(settings.rounds):
            with ExitStack() as running:
                for one in measured:
                    running.enter_context(one)
                for _ in range(settings.slices):
                    for one in measured:
                        one.measure()
            yield Note(f"round {number + 1} of {settings.rounds}")
    for arena in arenas:
        yield arena.origin
    yield _table(in_c, arenas)
    outcome: dict[str, object] = {
        "ratio": None,
        "aim": AIM,
        "rules": rules.name,
        "isolation": level,
        "optimised": arenas[0].installed.optimised,
    }
    yield from _compared(in_c, arenas, outcome)
    yield outcome_line("transport", **outcome)


def _compared(
    in_c: _InC | None, arenas: Sequence[_Arena], outcome: dict[str, object]
) -> Iterator[str]:
    """Yield the shares of the round trips, and add them to the outcome."""
    ours, *others = (arena.best() for arena in arenas)
    outcome |= ours.rounded()
    if in_c is None:
        yield "no C compiler (`cc`) was found: C to C is left out"
    else:
        share = in_c.best_us() / ours.whole_us
        yield f"C to C, as a share of a round trip in whole games: {share:.3f}"
        outcome["ratio"] = round(share, 3)
    for theirs, arena in zip(others, arenas[1:], strict=True):
        ratios = [mine / other for mine, other in zip(ours, theirs, strict=True)]
        turn, game, whole, in_process = (f"{ratio:.3f}" for ratio in ratios)
        yield (
            f"{_OURS}, as a share of {arena.name}: a round trip {turn}, overhead of a game {game}, "
            f"whole games {whole}, in one process {in_process}"
        )
        outcome["against"] = {"ratio": round(ratios[0], 3), "aim": AIM_AGAINST, **theirs.rounded()}


@contextmanager
def _on_one_core() -> Iterator[None]:
    """Keep this process, and those that it starts meanwhile, on one core."""
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(allowed)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, allowed)


def _table(in_c: _InC | None, arenas: Sequence[_Arena]) -> str:
    rows = [] if in_c is None else [(in_c.name, f"{in_c.best_us():.1f}", "", "", "")]
    for arena in arenas:
        best = arena.best()
        rows.append(
            (
                arena.name,
                f"{best.turn_us:.1f}",
                f"{best.game_us:.0f}",
                f"{best.whole_us:.1f}",
                f"{best.in_process_us:.1f}",
            )
        )
    return aligned(
        rows,
        (
            "processor time, us",
            "round trip",
            "overhead of a game",
            "whole games, a round trip",
            "in one process",
        ),
    )


def _compiled(folder: Path) -> str | None:
    """Return the path of the yardstick's program; None if it cannot be compiled here."""
    compiler = shutil.which("cc")
    if compiler is None:
        return None
    program = str(folder / "pingpong")
    with as_file(files("benchmarks.costs") / "pingpong.c") as source:
        subprocess.run([compiler, "-O2", "-o", program, str(source)], check=True)
    return program
