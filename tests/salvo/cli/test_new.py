"""``salvo new`` writes a working bot, and refuses names that cause trouble."""

import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from arena.conformance import check
from arena.entrants import parse_entrant
from arena.errors import UserError
from arena.isolation import Level
from arena.records import Settings
from arena.rules import preset
from salvo.cli.new import new


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def make(name: str) -> str:
    return CliRunner().invoke(new, [name], catch_exceptions=False, standalone_mode=False).output


def refusal(name: str) -> str:
    result = CliRunner().invoke(new, [name], standalone_mode=False)
    assert isinstance(result.exception, UserError)
    return str(result.exception)


@pytest.mark.parametrize("rules", ["salvo", "classic"])
def test_the_bot_passes_every_step_of_the_check(folder: Path, rules: str) -> None:
    make("my_bot")
    entrant = parse_entrant(str(folder / "my_bot.py"), {})
    steps = list(check(entrant, preset(rules), Settings(), Level.NONE))
    assert [step.verdict for step in steps] == ["ok"] * len(steps)


@pytest.mark.usefixtures("folder")
def test_shows_what_to_type_next() -> None:
    told = make("my_bot")
    assert "salvo check my_bot.py" in told
    assert "salvo match my_bot.py hunt_target" in told


@pytest.mark.parametrize(
    ("name", "class_name"),
    [("my_bot", "MyBot"), ("x", "X"), ("bot", "MyBot"), ("b_2", "B2"), ("seaWolf", "SeaWolf")],
)
def test_the_class_is_named_after_the_file(folder: Path, name: str, class_name: str) -> None:
    make(f"{name}.py")
    text = (folder / f"{name}.py").read_text(encoding="utf-8")
    assert f"class {class_name}(Bot):" in text
    assert f"run({class_name})" in text
    assert "$" not in text
    compile(text, name, "exec")


def test_an_existing_file_stays_as_it_is(folder: Path) -> None:
    (folder / "my_bot.py").write_text("precious", encoding="utf-8")
    assert "my_bot.py already exists" in refusal("my_bot")
    assert (folder / "my_bot.py").read_text(encoding="utf-8") == "precious"


@pytest.mark.parametrize(
    "name", ["", "a-b", "1st", "../up", "two words", "class", "naïve", "_hidden", "a.b"]
)
def test_a_name_that_is_no_python_name_is_refused(folder: Path, name: str) -> None:
    assert "cannot name a Python file" in refusal(name)
    assert not list(folder.iterdir())


@pytest.mark.parametrize("name", ["random", "json", "numbers.py"])
def test_a_name_of_a_standard_module_is_refused(folder: Path, name: str) -> None:
    assert name.removesuffix(".py") in sys.stdlib_module_names
    assert "one of Python's own modules" in refusal(name)
    assert not list(folder.iterdir())


@pytest.mark.parametrize("name", ["arena", "bots", "hunt_target"])
def test_a_name_of_salvo_itself_is_refused(folder: Path, name: str) -> None:
    assert "taken by Salvo itself" in refusal(name)
    assert not list(folder.iterdir())


def test_a_folder_that_cannot_be_written_is_reported_in_one_line(folder: Path) -> None:
    folder.rmdir()
    assert refusal("my_bot") == "my_bot.py cannot be written: No such file or directory"
