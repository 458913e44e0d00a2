"""Changes one operator, constant or condition of the product at a time, and runs the tests on it.

The changes are drawn from all of them by a seed; each is made in a copy of the tree, on which tests
run until one fails: those first that are about the changed module. A test that also fails on the
unchanged tree does not count. The same command goes on from what it has found.
"""

import contextlib
import os
import random
import re
import shutil
import signal
import subprocess
import sysconfig
import tempfile
import time
import venv
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec
from msgspec import Struct

from benchmarks.lines import Note, aligned, outcome_line
from benchmarks.mutations.nearness import by_nearness
from benchmarks.mutations.sites import Site, sites_of
from benchmarks.options import option

_ROOT = Path(__file__).parent.parent
_ROOMS = ("arena", "bots", "leaderboards", "salvo")
# What PyTorch trains has an environment of its own, and takes long.
_LEFT_OUT = ("bots/training/",)
_TESTS_LEFT_OUT = ("tests/benchmarks/", "tests/clients/", "tests/long/")
_FAILED = re.compile(r"^(?:FAILED|ERROR) (\S+?\.py(?:::.+?)?)(?: - |$)", re.MULTILINE)
_SLOWEST_TEST_S = 300
_NONE_TO_RUN = 5  # the exit code of pytest where no test is left


@dataclass(frozen=True)
class Settings:
    """The options."""

    mutants: int = option(100, "How many changes are tried.")
    seed: int = option(1, "What the changes are drawn by.", 0)
    workers: int = option(2, "Tests run in parallel; 0 runs them in one process.", 0)
    near: int = option(
        0, "Run only so many files of tests for each change, the likeliest first; 0 runs all.", 0
    )
    results: Path = option(Path("mutants.jsonl"), "What was found; the same command goes on there.")


class Mutant(Struct, frozen=True):
    """A change, and the test that noticed it: "" if none did."""

    file: str
    line: int
    start: int
    old: str
    new: str
    caught_by: str
    tests: int
    wall_s: float


def run(settings: Settings) -> Iterator[str]:
    """Yield the changes that no test noticed, and the outcome."""
    drawn = _draw(settings)
    found = _read(settings.results)
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)  # isolated bots have to reach it
        tree = Path(folder, "tree")
        _copy(tree)
        python = _installed(tree, Path(folder, "environment"))
        for number, (file, site) in enumerate(drawn, 1):
            mutant = found.get((str(file), site.start, site.new))
            if mutant is None:
                mutant = _tried(tree, python, file, site, settings)
                with settings.results.open("ab") as lines:
                    lines.write(msgspec.json.encode(mutant) + b"\n")
                found[mutant.file, mutant.start, mutant.new] = mutant
            yield Note(f"{number}/{len(drawn)} {_named(mutant)}: {mutant.caught_by or 'SURVIVED'}")
    tried = [found[str(file), site.start, site.new] for file, site in drawn]
    survivors = [mutant for mutant in tried if not mutant.caught_by]
    if survivors:
        rows = [(f"{one.file}:{one.line}", one.old, one.new) for one in survivors]
        yield aligned(rows, ("not noticed", "in place of", "stood"))
    caught = len(tried) - len(survivors)
    yield f"{caught} of {len(tried)} changes were noticed"
    yield outcome_line("mutants", seed=settings.seed, caught=caught, tried=len(tried))


def _draw(settings: Settings) -> list[tuple[Path, Site]]:
    files = [
        path.relative_to(_ROOT)
        for room in _ROOMS
        for path in sorted((_ROOT / room).rglob("*.py"))
        if not str(path.relative_to(_ROOT)).startswith(_LEFT_OUT)
    ]
    every = [
        (file, site)
        for file in files
        for site in sites_of((_ROOT / file).read_text(encoding="utf-8"))
    ]
    return random.Random(settings.seed).sample(every, settings.mutants)


def _read(results: Path) -> dict[tuple[str, int, str], Mutant]:
    if not results.exists():
        return {}
    mutants = [msgspec.json.decode(line, type=Mutant) for line in results.read_bytes().splitlines()]
    return {(mutant.file, mutant.start, mutant.new): mutant for mutant in mutants}


def _copy(tree: Path) -> None:
    """Copy what is committed or would be, as tests of documents and packages need it."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],  # noqa: S607 - whichever git
        cwd=_ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    for name in filter(None, listed.split("\0")):
        if (_ROOT / name).is_file():
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(_ROOT / name, tree / name)


def _installed(tree: Path, environment: Path) -> Path:
    """Make an environment that has a tree, and the libraries of this one; return its Python.

    The libraries lie in it, since isolated bots reach no other environment.
    """
    venv.create(environment, symlinks=True)
    [libraries] = environment.glob("lib/python*/site-packages")
    for here in {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}:
        for library in Path(here).iterdir():
            if library.name in _ROOMS or library.suffix == ".pth":
                continue
            if library.is_dir():
                shutil.copytree(
                    library, libraries / library.name, copy_function=_link, dirs_exist_ok=True
                )
            else:
                _link(library, libraries / library.name)
    (libraries / "tree.pth").write_text(str(tree), encoding="utf-8")
    python, command = environment / "bin" / "python", environment / "bin" / "salvo"
    command.write_text(f"#!{python}\nfrom salvo.cli.main import main\n\nmain()\n", encoding="utf-8")
    command.chmod(0o755)
    return python


def _link(source: str | Path, target: str | Path) -> None:
    try:
        os.link(source, target)
    except OSError:  # on another file system
        shutil.copy2(source, target)


def _tried(tree: Path, python: Path, file: Path, site: Site, settings: Settings) -> Mutant:
    tests = [
        path.relative_to(tree)
        for path in (tree / "tests").rglob("test_*.py")
        if not str(path.relative_to(tree)).startswith(_TESTS_LEFT_OUT)
    ]
    ordered = by_nearness(file, site.line, tests, tree)[: settings.near or None]
    source = (tree / file).read_text(encoding="utf-8")
    began = time.perf_counter()
    unreliable: set[str] = set()
    while True:
        (tree / file).write_text(site.applied(source), encoding="utf-8")
        try:
            failed = _first_failed(python, tree, ordered, unreliable, settings.workers)
        finally:
            (tree / file).write_text(source, encoding="utf-8")
        if not failed or not _first_failed(python, tree, [Path(failed)]):
            break
        unreliable.add(failed)
    wall_s = round(time.perf_counter() - began, 1)
    place = (str(file), site.line, site.start, site.old, site.new)
    return Mutant(*place, caught_by=failed, tests=len(ordered), wall_s=wall_s)


def _first_failed(
    python: Path,
    tree: Path,
    tests: Sequence[Path],
    left_out: Collection[str] = (),
    workers: int = 0,
) -> str:
    """Run tests until one fails; return its name, or "" if none does."""
    variables = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    command = [str(python), "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-rfE"]
    command += ["-m", "not long", f"--timeout={_SLOWEST_TEST_S}"]
    command += [f"--numprocesses={workers}", "--dist=worksteal"]
    command += [f"--deselect={name}" for name in sorted(left_out)]
    with subprocess.Popen(
        [*command, *map(str, tests)],
        cwd=tree,
        env=variables | {"PYTHONDONTWRITEBYTECODE": "1", "COLUMNS": "999"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            said, _ = process.communicate()
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
    if process.returncode in (0, _NONE_TO_RUN):
        return ""
    failed = _FAILED.search(said)
    return failed[1] if failed else str(tests[0])


def _named(mutant: Mutant) -> str:
    return f"{mutant.file}:{mutant.line} `{mutant.old}` -> `{mutant.new}` ({mutant.wall_s:g} s)"
