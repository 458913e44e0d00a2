"""`salvo train`: it learns, says what it made, and can be stopped."""

import csv
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner, Result

from arena.errors import RulesError, UserError
from salvo.cli.train import _train, train


def run(*words: str) -> Result:
    return CliRunner().invoke(train, words, catch_exceptions=False)


def test_it_learns_something_measurable(tmp_path: Path) -> None:
    run("landy", "--games", "3000", "--out", str(tmp_path))
    with (tmp_path / "curve.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    # The 95% intervals of the first and of the last 500 games lie apart.
    assert float(rows[-1]["high"]) < float(rows[0]["low"])


def test_it_says_where_the_bot_and_the_curve_are(tmp_path: Path) -> None:
    done = run("landy", "--games", "200", "--out", str(tmp_path))
    assert f"bot: {tmp_path / 'bot'}\n" in done.output
    assert "Of the last 200 games the mean is" in done.output
    assert (tmp_path / "bot" / "bot.py").exists()
    assert (tmp_path / "curve.html").exists()


def test_its_last_line_is_a_command_that_lets_the_bot_play(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "a folder"
    folder.mkdir()
    monkeypatch.chdir(folder)
    done = run("landy", "--games", "100", "--out", "what it learned")
    command = done.stdout.splitlines()[-1].partition(": ")[2]
    assert command.startswith("salvo solo ")
    few = "--layouts 2 --isolation limits --shard 1/1"  # a shard has no tables to print
    python = f'salvo() {{ "{sys.executable}" -m salvo "$@" {few}; }}'
    played = subprocess.run(
        ["/bin/sh", "-c", f"{python}\n{command}"], capture_output=True, text=True, check=False
    )
    assert played.returncode == 0, played.stderr
    assert "left out" not in played.stderr


def test_the_same_command_again_has_nothing_left_to_do(tmp_path: Path) -> None:
    words = ("landy", "--games", "200", "--out", str(tmp_path))
    first, second = run(*words), run(*words)
    assert first.stdout == second.stdout


def test_other_options_need_another_folder(tmp_path: Path) -> None:
    run("landy", "--games", "200", "--out", str(tmp_path))
    with pytest.raises(UserError, match="made with games 200, now 300"):
        run("landy", "--games", "300", "--out", str(tmp_path))


def test_the_record_names_the_options_that_were_given(tmp_path: Path) -> None:
    run("ramesh", "--games", "200", "--rules", "ramesh-3", "--sunk", "--out", str(tmp_path))
    page = (tmp_path / "curve.html").read_text(encoding="utf-8")
    assert "salvo train ramesh --games 200 --seed 1 --rules ramesh-3 --sunk" in page


RULES = """
name = "{}"
rows = 1
columns = 6
sinkings = "silent"
[[fleet]]
name = "Ship"
length = 2
"""


@pytest.mark.parametrize("name", ["mine.toml", "mine.rules"])
def test_rules_may_be_a_file(name: str, tmp_path: Path) -> None:
    file = tmp_path / name
    file.write_text(RULES.format("mine"), encoding="utf-8")
    run("landy", "--games", "100", "--rules", str(file), "--out", str(tmp_path / "out"))
    assert (tmp_path / "out" / "bot" / "mine.npz").exists()


def test_rules_that_only_call_themselves_a_preset_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(RULES.format("classic"), encoding="utf-8")
    with pytest.raises(RulesError, match="'classic' is a preset, which has other rules"):
        run("landy", "--rules", str(file), "--out", str(tmp_path / "out"))


@dataclass(frozen=True)
class Settings:
    """What a trainer may be given."""

    games: int = 1200
    seed: int = 1
    rules: str = "classic"
    step: float = 0.5
    side_by_side: int = 8
    sunk: bool = False
    fleet: bool = True


@pytest.fixture
def course(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Let training yield what each game took without a game; return the command it was told."""
    told: list[str] = []

    def run_course(_trainer: object, _out: Path, command: str) -> Iterator[list[int]]:
        told.append(command)
        counts = [90] * 700 + [30] * 499
        yield counts[:10]
        yield counts
        yield [*counts, 40]

    monkeypatch.setattr("bots.training.course.run_course", run_course)
    return told


def test_mean_is_of_the_last_500_games(
    course: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = Settings(step=0.25, side_by_side=4, sunk=True)
    trainer: Any = SimpleNamespace(settings=settings, counts="turns")
    _train("landy", trainer, tmp_path / "out")
    told = capsys.readouterr()
    assert told.out.splitlines()[0] == "Of the last 500 games the mean is 30.02 turns."
    assert told.out.splitlines()[-1] == (
        f"Let it play alone: salvo solo {tmp_path / 'out' / 'bot'} --rules classic"
    )
    assert course == [
        "salvo train landy --seed 1 --step 0.25 --side-by-side 4 --sunk --fleet",
    ]
    assert "1200/1200" in told.err
    assert "mean turns 30.02" in told.err


def test_every_trainer_is_listed() -> None:
    listed = run("--help").output
    for name in ("actor_critic", "landy", "q_learning", "ramesh"):
        assert name in listed


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["landy", "--games", "0"], "0 is too small; give 1 or more"),
        (["ramesh", "--expected", "both"], "'both' is not one of"),
        (["nobody"], "No such command 'nobody'"),
    ],
)
def test_a_mistake_is_named(words: list[str], complaint: str) -> None:
    done = run(*words)
    assert done.exit_code == 2
    assert complaint in done.output
