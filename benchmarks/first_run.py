"""Times a first run: from `git clone` to the final table, by the line of the README.

The last commit of this repository is cloned, with pip's cache warm: the same is installed once
before it counts. Wall time depends on what else the machine does, so the processor time stands
beside it.
"""

import os
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from arena.errors import UserError
from benchmarks.costs.processor import used_s
from benchmarks.lines import Note, Target, aligned, outcome_line, target_table
from benchmarks.options import option
from salvo.cli.options.option_types import WholeRange, even

AIM_S = 45.0
_REPOSITORY = Path(__file__).parent.parent
_PART = {"-m venv": "virtual environment", "pip install": "installation"}
_BEGINS = " games to play"


@dataclass(frozen=True)
class Settings:
    """The options."""

    games: int | None = option(
        None,
        "Games a pairing, an even number.",
        show_default="as many as the README's line plays",
        type=WholeRange(min=2),
        callback=even,
    )


@dataclass(frozen=True)
class _Part:
    """The seconds of a part: on the clock, and of processor time, where that was measured."""

    name: str
    wall_s: float
    processor_s: float | None = None


def run(settings: Settings) -> Iterator[str]:
    """Yield a table of the parts, the target, and the outcome.

    Raises:
        UserError: If a command fails.
    """
    *installing, playing = readme_commands()
    if settings.games:
        playing += f" --games {settings.games}"
    with tempfile.TemporaryDirectory() as folder:
        yield Note("installing once, so that the cache is warm")
        _clone(Path(folder, "warm"))
        for command in installing:
            _timed(command, Path(folder, "warm"))
        yield Note("what counts")
        cold = Path(folder, "salvo")
        parts = [_clone(cold), *(_timed(command, cold) for command in installing)]
        played, played_s = _tournament(playing, cold)
        parts += played
    until_table_s = sum(part.wall_s for part in parts[:-1])
    rows = [
        (part.name, f"{part.wall_s:.1f}", f"{part.processor_s:.1f}" if part.processor_s else "")
        for part in parts
    ]
    rows.append(
        ("tournament, all of it", f"{sum(part.wall_s for part in played):.1f}", f"{played_s:.1f}")
    )
    yield aligned(rows, ("part", "wall seconds", "processor seconds"))
    yield ""
    met = until_table_s <= AIM_S
    what = "from git clone to the final table, wall seconds"
    yield target_table([Target(what, f"{AIM_S:g} or less", f"{until_table_s:.1f}", met)])
    yield outcome_line(
        "first-run",
        ratio=round(until_table_s / AIM_S, 3),
        seconds={part.name: round(part.wall_s, 1) for part in parts},
        processor_s=round(played_s + sum(part.processor_s or 0 for part in parts), 1),
    )


def readme_commands() -> list[str]:
    """Return the commands of the README's first line: how it is installed, and run."""
    readme = (_REPOSITORY / "README.md").read_text(encoding="utf-8")
    line = next(line for line in readme.splitlines() if line.endswith("salvo tournament"))
    return line.split(" && ")


def _clone(folder: Path) -> _Part:
    # By its URL: files of a path would be linked, and nothing copied.
    return _timed(f"git clone --quiet {_REPOSITORY.as_uri()} {folder}", folder.parent, "clone")


def _timed(command: str, folder: Path, name: str = "") -> _Part:
    """Run a command of a line and return what it took.

    Raises:
        UserError: If it fails.
    """
    used, began = used_s(), time.perf_counter()
    done = subprocess.run(
        command.split(),
        cwd=folder,
        env=_environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode:
        raise UserError(f"`{command}` failed: {(done.stdout.splitlines() or ['silently'])[-1]}")
    part = name or next(part for word, part in _PART.items() if word in command)
    return _Part(part, time.perf_counter() - began, used_s() - used)


def _tournament(command: str, folder: Path) -> tuple[list[_Part], float]:
    """Run the tournament; return what its parts took, and the processor time of all of them.

    The last part comes after the final table, which is printed when all games are played.

    Raises:
        UserError: If it fails.
    """
    used, began = used_s(), time.perf_counter()
    begins_s = table_s = began
    last = ""
    with subprocess.Popen(
        command.split(),
        cwd=folder,
        env=_environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        assert process.stdout is not None
        for last in process.stdout:
            if last.endswith(f"{_BEGINS}\n"):
                begins_s = time.perf_counter()
            elif table_s == began and not last.startswith("salvo: "):
                table_s = time.perf_counter()
    if process.returncode:
        raise UserError(f"`{command}` failed: {last.strip()}")
    return [
        _Part("tournament: starting, introductions", begins_s - began),
        _Part("tournament: games, final table", table_s - begins_s),
        _Part("tournament: report, after the table", time.perf_counter() - table_s),
    ], used_s() - used


def _environment() -> dict[str, str]:
    """Return the variables of a newcomer's shell: nothing keeps Python from compiling."""
    return {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
