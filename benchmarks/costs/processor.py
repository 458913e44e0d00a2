"""Measures the processor time of `salvo tournament`, of any installation, and of starting a bot."""

import resource
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from arena.entrants import parse_entrant
from arena.errors import UserError
from arena.isolation import Level
from arena.records import LAYOUTS_PER_BLOCK, Settings
from arena.rules import preset
from arena.tournament import connect, introduce
from salvo.bundled import bundled_bots

_TOURNAMENT = "measured"
_IMPORTED = (
    *("arena", "bots", "leaderboards", "salvo", "click", "jinja2", "msgspec", "narwhals"),
    *("numpy", "pandas", "plotly", "scipy", "tabulate", "tqdm"),
)
_STARTS = 5
"""How often each bot is started for its introduction alone; the cheapest start counts."""

_COMPILE = """
import compileall, importlib.util, pathlib, sys

for name in sys.argv[1:]:
    origin = importlib.util.find_spec(name).origin
    compileall.compile_dir(pathlib.Path(origin).parent, quiet=2)
"""
"""Compiles packages to bytecode, as pip does when it installs them, and other installers do not.

In a sandbox a bot cannot keep what it compiled, and would compile it at every start.
"""

_PROGRAM = """
import atexit, resource, sys

def tell(path=sys.argv.pop(1)):
    with open(path, "w", encoding="ascii") as file:
        for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN):
            used = resource.getrusage(who)
            print(used.ru_utime + used.ru_stime, file=file)

atexit.register(tell)
from salvo.cli import main
main()
"""
"""Runs ``salvo`` and writes its own processor time and that of its processes, in seconds."""


class Cost(Struct, frozen=True):
    """The processor time of the parent and of its workers and bots, wall time, and the output."""

    own_s: float
    others_s: float
    wall_s: float
    printed: str

    @property
    def processor_s(self) -> float:
        """Processor time of all processes."""
        return self.own_s + self.others_s


class Amount(Struct, frozen=True):
    """The games a pairing and the layouts a bot that a field plays."""

    games: int
    layouts: int

    def starts(self, bots: int, block_pairs: int) -> int:
        """Return how many processes of bots are started, the introductions among them."""
        between = bots * (bots - 1) // 2 * -(-self.games // 2 // block_pairs)
        return bots + 2 * between + bots * -(-self.layouts // LAYOUTS_PER_BLOCK)


def python_of(venv: Path) -> str:
    """Return the interpreter of a virtual environment.

    Raises:
        UserError: If it has none.
    """
    python = venv / "bin" / "python"
    if not python.exists():
        raise UserError(
            f"--against {venv}: it has no bin/python; name a virtual environment with Salvo in it"
        )
    return str(python)


def byte_compile(python: str) -> None:
    """Compile what Salvo imports in an installation, so that installations can be compared.

    Raises:
        UserError: If a package is missing.
    """
    command = [python, "-P", "-c", _COMPILE, *_IMPORTED]
    done = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        last = (done.stderr.splitlines() or ["it says nothing"])[-1]
        raise UserError(f"{python}: its Salvo cannot be compiled: {last}")


def takes_option(python: str, option: str) -> bool:
    """Return whether ``salvo tournament`` of an installation has an option."""
    command = [python, "-P", "-m", "salvo", "tournament", "--help"]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    return option in done.stdout


def cost_of_tournament(  # noqa: PLR0913 - what is played, and how
    python: str,
    bots: Sequence[str],
    amount: Amount,
    workers: int,
    level: Level,
    *,
    record: Path | None = None,
    options: Sequence[str] = (),
) -> Cost:
    """Run ``salvo tournament`` of an installation in an empty folder, and return what it took.

    Without bots the default field plays. With ``record`` its games are kept there, and its progress
    is shown while it runs; games have the same ids in records of any installation.

    Raises:
        UserError: If it fails.
    """
    told = None if record else subprocess.PIPE
    with tempfile.TemporaryDirectory() as folder:
        times = Path(folder, "times")
        command = [python, "-c", _PROGRAM, str(times), "tournament", *bots]
        command += ["--games", str(amount.games), "--layouts", str(amount.layouts)]
        command += ["--workers", str(workers), "--isolation", level.value]
        command += options
        if record is not None:
            command += ["--db", str(record), "--tournament", _TOURNAMENT]
        started = time.perf_counter()
        done = subprocess.run(
            command, cwd=folder, stdout=subprocess.PIPE, stderr=told, text=True, check=False
        )
        wall_s = time.perf_counter() - started
        if done.returncode:
            said = "see above" if record else "it says nothing"
            last = ((done.stderr or "").splitlines() or [said])[-1]
            raise UserError(f"{python}: its `salvo tournament` failed: {last}")
        own_s, others_s = map(float, times.read_text(encoding="ascii").split())
    return Cost(own_s, others_s, wall_s, done.stdout)


def cost_of_start_s(bots: Sequence[str], level: Level) -> float:
    """Return the processor time of starting a bundled bot and ending it, the mean over some."""
    rules = preset("salvo")
    programs = [parse_entrant(bot, bundled_bots()).program for bot in bots]
    best = [float("inf")] * len(programs)
    for _ in range(_STARTS):
        for place, program in enumerate(programs):
            before = used_s()
            introduce(connect(program, rules, Settings(), level))
            best[place] = min(best[place], used_s() - before)
    return sum(best) / len(best)


def used_s() -> float:
    """Return the processor time of this process and of those that it started and that ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)
