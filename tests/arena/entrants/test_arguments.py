"""Commands parse their argument BOT, and refuse what names no bot."""

from pathlib import Path

import pytest

from arena.entrants.bot_argument import bot_path, parse_path, split_bot
from arena.errors import BotError

BUNDLED = {"clever": Path("/salvo/bots/clever.py"), "hunt_target": Path("/salvo/bots/hunt")}


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Be in a folder with a few bots."""
    for name in ("mine.py", "my bot.py", "a=b.py", "plan.js", "bin"):
        (tmp_path / name).write_text("", encoding="utf-8")
    for name in ("team", "v1.2"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "bot.py").write_text("", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("text", "name", "words"),
    [
        ("clever", "", ["clever"]),
        ("clever --depth 3", "", ["clever", "--depth", "3"]),
        ("ada=clever --depth=3", "ada", ["clever", "--depth=3"]),
        (" ada = clever", "ada", ["clever"]),
        ("my bot.py", "", ["my bot.py"]),
        ("ada=my bot.py", "ada", ["my bot.py"]),
        ("'my bot.py' --fast", "", ["my bot.py", "--fast"]),
        ("a=b.py", "", ["a=b.py"]),
        ("x=a=b.py", "x", ["a=b.py"]),
        ("./x=clever", "", ["./x=clever"]),
        ("x y=clever", "", ["x", "y=clever"]),
    ],
)
def test_name_and_words_of_a_bot_are_told_apart(text: str, name: str, words: list[str]) -> None:
    assert split_bot(text) == (name, words)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "bot '': it is empty; name a bot, `salvo bots` lists the bundled"),
        ("''", "bot \"''\": it is empty; name a bot"),
        ("clever 'x", 'bot "clever \'x": No closing quotation; check its quotation marks'),
    ],
)
def test_what_names_nothing_is_refused(text: str, told: str) -> None:
    with pytest.raises(BotError) as refused:
        split_bot(text)
    assert str(refused.value).startswith(told)


@pytest.mark.parametrize(
    ("text", "name", "path"),
    [
        ("clever", "clever", "/salvo/bots/clever.py"),
        ("ada=clever", "ada", "/salvo/bots/clever.py"),
        ("mine.py", "mine", "mine.py"),
        ("./team/", "team", "team"),
        ("v1.2", "v1.2", "v1.2"),
        ("ada=team/../mine.py", "ada", "mine.py"),
    ],
)
def test_league_takes_a_file_or_a_folder(here: Path, text: str, name: str, path: str) -> None:
    assert parse_path(text, BUNDLED) == (name, here / path)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("clever -x 'a b'", "copy its file, write command = \"clever.py -x 'a b'\" in its clever"),
        ("mine.py --fast", 'options; write command = "mine.py --fast" in its mine.py.toml, and'),
        ("team -x", 'options; write command = "bot.py -x" in its bot.toml, and name the bot alone'),
        ("sh plan.js -x", 'options; write command = "sh plan.js -x" in its plan.js.toml, and'),
        ("sh -e mine.py -x", 'options; write command = "mine.py -x" in its mine.py.toml, and'),
        ("sh -c true", "options; write the command in a bot.toml, and name the bot alone"),
        ("/", "bot '/': that is no bot; name a file, or a folder with a bot.py"),
        ("clevre", "'clevre'; did you mean 'clever'? `salvo bots` lists the bundled ones"),
        ("min.py", "'min.py'; did you mean 'mine.py'? `salvo bots`"),
        ("tea x", "'tea'; did you mean 'team'? a path with spaces needs quotation marks of its"),
        ("qqqqqqqq y=clever", "called 'qqqqqqqq'; NAME before = has no spaces; `salvo bots`"),
        ("qqqqqqqq -y=1", "called 'qqqqqqqq'; a path with spaces needs quotation marks of its own"),
        ("nowhere/qqqqqqqq", "called 'nowhere/qqqqqqqq'; `salvo bots` lists the bundled ones"),
    ],
)
def test_what_a_league_does_not_take_is_refused_with_the_fix(text: str, told: str) -> None:
    with pytest.raises(BotError) as refused:
        parse_path(text, BUNDLED)
    assert told in str(refused.value)


def test_interpreter_on_the_path_is_a_command_where_it_has_options(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(here))
    assert bot_path("bin", [], {}) == here / "bin"
    assert bot_path("bin", ["x"], {}) is None
    monkeypatch.setenv("PATH", "/nowhere")
    assert bot_path("bin", ["x"], {}) == here / "bin"
    assert bot_path("nothing", [], {}) is None
    assert bot_path("x" * 5000, [], {}) is None
