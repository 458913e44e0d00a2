"""Plays the same games with two installations, and compares each shot and the processor time.

Each bot plays by every preset that it knows, alone and against itself. The games alternate between
the installations. Processors round sums differently, so only games that are played on one machine
are sure to be the same shot by shot.
"""

import contextlib
import itertools
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path

import msgspec

from arena.errors import UserError
from benchmarks.costs.processor import python_of
from benchmarks.games.shots import Shots
from benchmarks.lines import Note, aligned, outcome_line
from benchmarks.options import against, option
from salvo.bundled import bundled_bots, default_field


@dataclass(frozen=True)
class Settings:
    """The options."""

    against: Path = against(required=True)
    games: int = option(2, "Games of each bot by each preset, alone, and as many against itself.")
    bots: str = option(",".join(default_field()), "The bundled bots that play.")


@dataclass
class _Compared:
    """The games of one bot."""

    games: int = 0
    salvos: int = 0
    different: list[str] = field(default_factory=list)
    processor_s: float = 0
    others_s: float = 0

    @property
    def ratio(self) -> float:
        return self.processor_s / self.others_s

    def row(self, bot: str) -> tuple[str, ...]:
        numbers = self.games, self.salvos, len(self.different)
        return bot, *map(str, numbers), f"{self.processor_s:.2f}", f"{self.ratio:.2f}"


def run(settings: Settings) -> Iterator[str]:
    """Yield a table, the first salvo that differs in each game that has one, and the outcome.

    Raises:
        UserError: If a bot is not bundled, or an installation cannot play the games.
    """
    bots = settings.bots.split(",")
    if unknown := set(bots) - set(bundled_bots()):
        raise UserError(f"--bots {min(unknown)}: there is no bundled bot of that name")
    found: dict[str, _Compared] = {}
    pythons = sys.executable, python_of(settings.against)
    both = (_play(python, settings.games, bots) for python in pythons)
    for mine, other in itertools.zip_longest(*both, fillvalue=None):
        if mine is None or other is None or mine[0].game != other[0].game:
            raise UserError(f"--against {settings.against}: its bots play by other presets")
        if mine[0].bot not in found:
            yield Note(mine[0].bot)
        _add(found.setdefault(mine[0].bot, _Compared()), mine, other)
    yield aligned(
        [one.row(bot) for bot, one in found.items()],
        ("bot", "games", "salvos", "games that differ", "processor time, s", "as a share"),
    )
    different = [line for one in found.values() for line in one.different]
    yield from different
    yield outcome_line(
        "same-shots",
        games=sum(one.games for one in found.values()),
        different=len(different),
        ratios={bot: round(one.ratio, 3) for bot, one in found.items()},
    )


def _add(compared: _Compared, mine: tuple[Shots, float], other: tuple[Shots, float]) -> None:
    compared.games += 1
    compared.salvos += len(mine[0].salvos.split())
    compared.processor_s += mine[1]
    compared.others_s += other[1]
    if where := mine[0].first_difference(other[0]):
        compared.different.append(where)


def _play(python: str, games: int, bots: Iterable[str]) -> Iterator[tuple[Shots, float]]:
    """Yield the shots and the processor time of each game, which is played when asked for."""
    program = str(files("benchmarks.games") / "shots.py")
    command = [python, "-P", program, str(games), *bots]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        while True:
            with contextlib.suppress(BrokenPipeError):
                process.stdin.write("\n")
                process.stdin.flush()
            line = process.stdout.readline()
            if not line:
                break
            yield msgspec.json.decode(line, type=tuple[Shots, float])
    if process.returncode:
        raise UserError(f"{python} cannot play these games: see above")
