"""The table of runtimes in ``bots/README.md``: a bot plays with the TOML that it names."""

import os
import re
import shutil
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest
from msgspec.structs import replace

from arena.entrants import Terms, parse_entrant
from arena.isolation import Choice, Extra, Level, prove, refused
from arena.records import Block, Fixture, Settings, Termination
from arena.rules import preset
from arena.seeds import Seeds
from arena.tournament import copied, play_here

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
OPPONENT = Path(str(files("bots"))) / "uniform_random.py"

TABLE = dict(
    re.findall(
        r"^\| ([^|]+) \| [^|]+ \| `(command = [^`]+)` \|$",
        (ROOT / "bots" / "README.md").read_text(encoding="utf-8"),
        re.MULTILINE,
    )
)

BUILDS = {
    "C, C++, Rust, Go": ("cc", "gcc", ["cc", "-O2", "-o", "rows", str(EXAMPLES / "rows.c")]),
    "Node": ("node", "nodejs", ["cp", str(EXAMPLES / "rows.js"), "."]),
    "JVM": ("javac", "default-jdk-headless", ["javac", "-d", ".", str(EXAMPLES / "Rows.java")]),
    "mono": (
        "mcs",
        "mono-mcs mono-runtime",
        ["mcs", "-out:Rows.exe", str(Path(__file__).with_name("rows.cs"))],
    ),
}
"""For each runtime the program that builds a bot, its packages in Debian, and the command."""

PATIENT = Settings(load_s=60.0, move_s=20.0, game_s=120.0)


@pytest.fixture(scope="module", params=BUILDS)
def bot(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a bot, built as the table says."""
    program, packages, command = BUILDS[request.param]
    if shutil.which(program) is None:
        if "CI" in os.environ:
            pytest.fail(f"{program} is not installed: apt install {packages}")
        pytest.skip(f"{program} is not installed: apt install {packages}")
    folder = tmp_path_factory.mktemp("bot")
    subprocess.run(command, check=True, cwd=folder)
    (folder / "bot.toml").write_text(TABLE[request.param], encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A virtual environment with a package that no other has."""
    folder = tmp_path_factory.mktemp("environments") / "torch"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    (packages,) = folder.glob("lib/python*/site-packages")
    (packages / "heavy_package.py").write_text("", encoding="utf-8")
    return folder


@pytest.mark.parametrize("level", [Level.LITE, Level.SANDBOX])
def test_bot_plays_with_a_virtual_environment_that_is_granted(
    environment: Path, tmp_path: Path, level: Level
) -> None:
    (line,) = (line for runtime, line in TABLE.items() if "PyTorch" in runtime)
    code = (EXAMPLES / "rows.py").read_text(encoding="utf-8")
    (tmp_path / "bot.py").write_text(f"import heavy_package\n{code}", encoding="utf-8")
    toml = line.replace("/srv/torch", str(environment))
    (tmp_path / "bot.toml").write_text(toml, encoding="utf-8")
    play_a_game(tmp_path, level, Terms(grants=(str(environment),)))


def test_every_runtime_has_a_line() -> None:
    assert set(BUILDS) < set(TABLE)
    assert any("PyTorch" in runtime for runtime in TABLE)


@pytest.mark.parametrize("level", list(Level))
def test_bot_of_each_runtime_plays_at_every_level(bot: Path, level: Level) -> None:
    play_a_game(bot, level, Terms())


def play_a_game(bot: Path, level: Level, terms: Terms) -> None:
    promises = prove(level)
    lacking = [promise for promise in promises if not promise.held]
    if lacking and level is not Level.NONE:
        pytest.skip(f"isolation '{level}' does not hold here: {lacking[0].detail}")
    if level is Level.SANDBOX and (why := refused(Extra.PROC)) is not None:
        pytest.skip(f"this machine gives boxes no /proc: {why}")
    entrants = [
        replace(parse_entrant(str(bot), {}, terms), name="bot"),
        parse_entrant(f"other={OPPONENT}", {}),
    ]
    rules = preset("salvo")
    game = Fixture("0", "bot", "other", 0, (2**53 - 1, 8))
    with copied(entrants, level) as copies:
        play = play_here(rules, PATIENT, Seeds(1, rules), copies.bots, Choice(level, promises))
        (played,) = play(Block(("bot", "other"), 0, (game,))).games
    assert played.termination is Termination.SUNK, played.reason
