"""The table of runtimes in ``bots/README.md``: a bot plays with the TOML that it names."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

import pytest
from msgspec.structs import replace

from arena.entrants import Terms, parse_entrant
from arena.isolation import Choice, Extra, Level, prove, refused
from arena.records import Block, Fixture, Settings, Termination
from arena.rules import preset
from arena.seeds import Seeds
from arena.store import Store
from arena.tournament import copied, play_here

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
EXAMPLES = ROOT / "examples"
OPPONENT = Path(str(files("bots"))) / "uniform_random.py"

TABLE = {
    runtime: "\n".join(re.findall(r"`([^`]+)`", lines))
    for runtime, lines in re.findall(
        r"^\| ([^|]+) \| [^|]+ \| (`command = [^|]+) \|$",
        (ROOT / "bots" / "README.md").read_text(encoding="utf-8"),
        re.MULTILINE,
    )
}
"""The TOML of each runtime, as it is written."""


class Build(NamedTuple):
    """How a bot is built, by a program and its packages in Debian; none where CI does without."""

    row: str
    program: str
    packages: str
    command: Sequence[str | Path]


COMPILED = "C, C++, Rust, Go"
# Most of what javac takes is to compile itself.
JAVAC = ("javac", "-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC")
BUILDS = {
    "C": Build(COMPILED, "cc", "gcc", ("cc", "-O2", "-o", "rows", EXAMPLES / "rows.c")),
    "Rust": Build(COMPILED, "rustc", "", ("rustc", "-o", "rows", EXAMPLES / "rows.rs")),
    "Go": Build(COMPILED, "go", "golang-go", ("go", "build", "-o", "rows", EXAMPLES / "rows.go")),
    "Node": Build("Node", "node", "nodejs", ("cp", EXAMPLES / "rows.js", ".")),
    "JVM": Build(
        "JVM", "javac", "default-jdk-headless", (*JAVAC, "-d", ".", EXAMPLES / "Rows.java")
    ),
    "mono": Build(
        "mono", "mcs", "mono-mcs mono-runtime", ("mcs", "-out:Rows.exe", HERE / "rows.cs")
    ),
    "Python with options": Build(
        "Python with options", "cp", "coreutils", ("cp", HERE / "with_option.py", "bot.py")
    ),
}
NOT_BUILT = {".NET", "PyTorch", "TensorFlow"}
"""Rows without a bot that is built: Debian has no .NET, and the others take gigabytes."""

TENSORFLOW = "SALVO_TENSORFLOW"
"""Names a virtual environment with TensorFlow: its wheel has 274 MB, installed it takes 1.5 GB."""

PATIENT = Settings(load_s=60.0, move_s=20.0, game_s=120.0)


def build(name: str, folder: Path) -> Path:
    """Build a bot in a folder, as the table says; skip where what it takes is not installed."""
    row, program, packages, command = BUILDS[name]
    if shutil.which(program) is None:
        how = f": apt install {packages}" if packages else ""
        pytest.skip(f"{program} is not installed{how}")
    environment = {**os.environ, "GOCACHE": str(folder.parent / "cache"), "CGO_ENABLED": "0"}
    subprocess.run(command, check=True, cwd=folder, env=environment)
    (folder / "bot.toml").write_text(TABLE[row], encoding="utf-8")
    return folder


@pytest.fixture(scope="module", params=BUILDS)
def bot(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a bot of each runtime."""
    return build(request.param, tmp_path_factory.mktemp("bot"))


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A virtual environment with a package that no other has."""
    folder = tmp_path_factory.mktemp("environments") / "torch"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    (packages,) = folder.glob("lib/python*/site-packages")
    (packages / "heavy_package.py").write_text("", encoding="utf-8")
    return folder


def of_environment(name: str, line: str, environment: Path, folder: Path) -> Path:
    """Return a bot that imports a package of a virtual environment, started as a row says."""
    code = (EXAMPLES / "rows.py").read_text(encoding="utf-8")
    (folder / "bot.py").write_text(f"{line}\n{code}", encoding="utf-8")
    toml = re.sub(r"/srv/\w+", str(environment), TABLE[name])
    assert str(environment) in toml
    (folder / "bot.toml").write_text(toml, encoding="utf-8")
    return folder


@pytest.mark.parametrize("level", [Level.LITE, Level.SANDBOX])
def test_bot_plays_with_a_virtual_environment_that_is_granted(
    environment: Path, tmp_path: Path, level: Level
) -> None:
    bot = of_environment("PyTorch", "import heavy_package", environment, tmp_path)
    play_a_game(bot, level, Terms(grants=(str(environment),)))


def test_every_row_is_tried_or_said_not_to_be() -> None:
    assert {build.row for build in BUILDS.values()} | NOT_BUILT == set(TABLE)


# What plays with limits plays without.
@pytest.mark.parametrize("level", [Level.LIMITS, Level.LITE, Level.SANDBOX])
def test_bot_of_each_runtime_plays_at_every_level(bot: Path, level: Level) -> None:
    play_a_game(bot, level, Terms())


def require(level: Level) -> None:
    lacking = [promise for promise in prove(level) if not promise.held]
    if lacking and level is not Level.NONE:
        pytest.skip(f"isolation '{level}' does not hold here: {lacking[0].detail}")


def require_extra(extra: Extra) -> None:
    if (why := refused(extra)) is not None:
        pytest.skip(f"this machine's boxes do without an extra, '{extra}': {why}")


def play_a_game(bot: Path, level: Level, terms: Terms) -> None:
    require(level)
    if level is Level.SANDBOX:
        require_extra(Extra.PROC)
    entrants = [
        replace(parse_entrant(str(bot), {}, terms), name="bot"),
        parse_entrant(f"other={OPPONENT}", {}),
    ]
    rules = preset("salvo")
    game = Fixture("0", "bot", "other", 0, (2**53 - 1, 8))
    with copied(entrants, level) as copies:
        choice = Choice(level, prove(level))
        play = play_here(rules, PATIENT, Seeds(1, rules), copies.bots, choice)
        (played,) = play(Block(("bot", "other"), 0, (game,))).games
    assert played.termination is Termination.SUNK, played.reason


def play_a_tournament(bot: Path, *options: str) -> None:
    """Play a tournament in the sandbox, by the command, and require that no game is forfeited."""
    require(Level.SANDBOX)
    require_extra(Extra.PROC)
    record = bot.parent / "cup.sqlite3"
    amount = ("--games", "4", "--layouts", "4", "--seed", "1", "--workers", "1")
    times = ("--load-time", "60", "--move-time", "20", "--game-time", "120")
    where = ("--isolation", "sandbox", "--db", str(record))
    command = [sys.executable, "-m", "salvo", "tournament", f"tried={bot}", "uniform_random"]
    subprocess.run([*command, *amount, *times, *where, *options], check=True, cwd=bot.parent)
    with Store(record, create=False) as store:
        games = list(store.games(store.tournament().name))
    # Four against each other, and four of each alone.
    assert [game.reason for game in games if game.termination is not Termination.SUNK] == []
    assert len(games) == 12


@pytest.mark.long("programs are compiled, and play a tournament")
@pytest.mark.parametrize("name", ["Go", "JVM"])
def test_bot_of_another_runtime_plays_a_tournament_in_the_sandbox(
    name: str, tmp_path: Path
) -> None:
    folder = tmp_path / "bot"
    folder.mkdir()
    play_a_tournament(build(name, folder))


@pytest.mark.long("programs are compiled, and play a tournament")
def test_bot_with_a_pool_of_processes_plays_a_tournament_in_the_sandbox(tmp_path: Path) -> None:
    require_extra(Extra.SHARED)
    folder = tmp_path / "bot"
    folder.mkdir()
    shutil.copy(HERE / "with_pool.py", folder / "bot.py")
    (folder / "bot.toml").write_text("processes = true", encoding="utf-8")
    play_a_tournament(folder, "--allow-processes")


def test_tensorflow_plays_a_tournament_in_the_sandbox(tmp_path: Path) -> None:
    environment = os.environ.get(TENSORFLOW)
    if environment is None:
        pytest.skip(f"{TENSORFLOW} names no virtual environment with TensorFlow")
    require_extra(Extra.TEMPORARY)
    folder = tmp_path / "bot"
    folder.mkdir()
    computes = "import tensorflow as tf\nassert tf.reduce_sum(tf.ones((3, 3))).numpy() == 9"
    bot = of_environment("TensorFlow", computes, Path(environment), folder)
    play_a_tournament(bot, "--grant", environment)
