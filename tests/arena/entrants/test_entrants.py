import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from arena.entrants import Entrant, parse_entrant, refuse_alike
from arena.errors import BotError
from arena.isolation import Program

BOT = "from arena import Bot, run\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in an empty folder, and return it."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(path: str, text: str = BOT) -> Path:
    file = Path(path)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return file.resolve()


@pytest.fixture
def bundled(folder: Path) -> dict[str, Path]:
    """Return the paths of two bundled bots."""
    assert folder == Path.cwd()
    return {"clever": write("installed/clever.py"), "deep": write("installed/deep/bot.py").parent}


@pytest.fixture
def parse(bundled: dict[str, Path]) -> Callable[[str], Entrant]:
    """Return a function that reads a BOT."""
    return lambda text: parse_entrant(text, bundled)


Parse = Callable[[str], Entrant]


def python(script: Path, *options: str) -> tuple[str, ...]:
    return (sys.executable, "-P", str(script), *options)


def test_bundled_bot_is_named_by_its_name(parse: Parse, bundled: dict[str, Path]) -> None:
    entrant = parse("clever")
    assert entrant.name == "clever"
    assert entrant.program == Program(
        argv=python(bundled["clever"]),
        folder=str(bundled["clever"].parent),
        files=(str(bundled["clever"]),),
        proc=False,
    )


def test_path_of_a_bundled_bot_is_a_bot_like_any_other(
    parse: Parse, bundled: dict[str, Path]
) -> None:
    assert parse(str(bundled["clever"])).program.proc


def test_bundled_bot_may_be_a_folder(parse: Parse, bundled: dict[str, Path]) -> None:
    entrant = parse("deep")
    assert entrant.name == "deep"
    assert entrant.program.argv == python(bundled["deep"] / "bot.py")
    assert entrant.program.import_folder == str(bundled["deep"])


def test_bundled_bot_goes_before_a_file_of_its_name(parse: Parse, bundled: dict[str, Path]) -> None:
    write("clever")
    assert parse("clever").program.argv == python(bundled["clever"])
    assert parse("./clever").program.argv[-1] == str(Path("clever").resolve())


def test_options_are_handed_on(parse: Parse, bundled: dict[str, Path]) -> None:
    options = ["--difficulty", "easy", "two words"]
    entrant = parse("clever --difficulty easy 'two words'")
    assert entrant.name == "clever"
    assert entrant.program.argv == python(bundled["clever"], *options)


def test_name_before_an_equals_sign_is_the_name_in_tables(parse: Parse) -> None:
    assert parse("My-bot_2.0 = clever --fast").name == "My-bot_2.0"


def test_option_with_an_equals_sign_is_not_a_name(parse: Parse) -> None:
    assert parse("clever --depth=3").program.argv[-1] == "--depth=3"
    assert parse("deep=clever --depth=3").name == "deep"


def test_python_file_runs_under_this_interpreter_with_its_virtual_environment(
    parse: Parse,
) -> None:
    script = write("mine.py")
    assert parse("mine.py").name == "mine"
    assert parse("mine.py").program.argv == python(script)


@pytest.mark.parametrize("path", ["a b/my bot.py", "a=b/x=y.py", "it's.py", "ünï.py"])
def test_path_may_hold_anything_if_it_is_all_there_is(parse: Parse, path: str) -> None:
    script = write(path)
    entrant = parse(f"named={path}")
    assert entrant.name == "named"
    assert entrant.program.argv == python(script)
    assert parse(f"named={script}") == entrant


def test_file_with_an_equals_sign_in_its_name_is_that_file_and_needs_a_name(parse: Parse) -> None:
    script = write("x=clever")
    with pytest.raises(BotError, match=r"'x=clever' cannot be shown in tables .* NAME=BOT"):
        parse("x=clever")
    assert parse("mine=x=clever").program.argv == (str(script),)


def test_path_with_spaces_and_options_is_quoted_once_more(parse: Parse) -> None:
    script = write("a b/mine.py")
    assert parse("'a b/mine.py' --fast").program.argv == python(script, "--fast")


def test_other_files_run_by_their_first_line(parse: Parse) -> None:
    script = write("bot.js", "#!/usr/bin/env node\n")
    assert parse("bot.js").name == "bot"
    assert parse("bot.js").program.argv == (str(script),)


def test_folder_is_named_as_it_is_and_imports_its_own_modules(parse: Parse) -> None:
    script = write("team.v2/bot.py")
    entrant = parse("team.v2")
    assert entrant.name == "team.v2"
    assert entrant.program.argv == python(script)
    assert entrant.program.files == (str(script.parent),)
    assert entrant.program.import_folder == str(script.parent)


def test_folder_in_the_place_of_bot_py_is_no_bot(parse: Parse) -> None:
    write("team/source/main.py")
    Path("team/bot.py").symlink_to("source")
    with pytest.raises(BotError, match=r"the folder has no bot\.py, and no bot\.toml"):
        parse("team")
    write("team/bot.toml", 'command = "true"')
    assert parse("team").program.argv == ("true",)


def test_folder_that_one_stands_in_has_a_name_too(
    parse: Parse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(write("here/bot.py").parent)
    assert parse(".").name == "here"


def test_link_has_its_own_name_and_the_content_it_leads_to(parse: Parse) -> None:
    script = write("versions/v1.py")
    Path("mine.py").symlink_to(script)
    assert parse("mine.py").name == "mine"
    assert parse("mine.py").program == parse("versions/v1.py").program
    assert parse("mine.py").digest == parse("versions/v1.py").digest


def test_command_is_found_on_the_path_and_named_after_the_file_it_runs(parse: Parse) -> None:
    script = write("bots/rows.js", "")
    shell = shutil.which("sh")
    for text in ("sh bots/rows.js --fast", f"{shell} bots/rows.js --fast"):
        entrant = parse(text)
        assert entrant.name == "rows"
        assert entrant.program.argv == (shell, str(script), "--fast")
        assert entrant.program.files == (str(script),)
        assert entrant.program.folder == str(script.parent)


def test_option_that_is_a_file_is_the_bots_to_read(parse: Parse) -> None:
    book = write("openings.txt", "b2 b4")
    entrant = parse("clever --book openings.txt")
    assert entrant.program.argv[-2:] == ("--book", str(book))
    assert str(book) in entrant.program.files
    write("openings.txt", "c7 c5")
    assert parse("clever --book openings.txt").digest != entrant.digest


def test_file_without_execute_permission_enters_anyway(parse: Parse) -> None:
    script = write("bot.rb", "puts")
    script.chmod(0o644)
    assert parse("bot.rb").program.argv == (str(script),)


def test_bot_in_a_folder_that_may_not_be_read_is_told_apart_from_none(
    parse: Parse, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed = Path.iterdir

    def list_others(folder: Path) -> Iterator[Path]:
        if folder.name == "no":
            raise PermissionError(13, "Permission denied")
        return listed(folder)

    monkeypatch.setattr(Path, "iterdir", list_others)
    with pytest.raises(BotError, match=r"^bot '\.\./no/left\.py': folder '\.\./no' may not be"):
        parse("../no/left.py")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("cleverr", "no bundled bot, file or command is called 'cleverr'; did you mean 'clever'?"),
        ("./mnie.py", "did you mean 'mine.py'?"),
        ("nonsense", "`salvo bots` lists the bundled ones"),
        ("no such file.py", "a path with spaces needs quotation marks of its own"),
        ("x" * 5000, "no bundled bot"),
        ("nul\0byte", "no bundled bot"),
        ("clever 'unclosed", "check its quotation marks"),
        ("", "it is empty"),
        ("''", "it is empty"),
        ("empty", "no bot.py, and no bot.toml with a command"),
        ("/dev/null", "neither a file nor a folder"),
        ("bad\udcff.py", "its path is not UTF-8"),
        ("_%.py", "'_%' cannot be shown in tables"),
        ("x" * 41 + ".py", "cannot be shown in tables"),
        ("My bot=clever", "NAME before = has no spaces"),
        ("a+b=clever", "'a+b' cannot be shown in tables"),
        ("-fast=clever", "'-fast' cannot be shown in tables"),
        ("hunt_p\u0430rity=clever", r"'hunt_p\u0430rity' cannot be shown in tables"),
        ("clever\u200b=clever", r"'clever\u200b' cannot be shown in tables"),
        ("\u202eclever=clever", r"'\u202eclever' cannot be shown in tables"),
    ],
)
def test_what_names_nothing_playable_is_refused_with_a_hint(
    parse: Parse, text: str, complaint: str
) -> None:
    for name in ("mine.py", "_%.py", "x" * 41 + ".py"):
        write(name)
    Path("empty").mkdir()
    with pytest.raises(BotError) as refusal:
        parse(text)
    assert complaint in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_file_that_cannot_be_read_is_refused(parse: Parse, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    write("mine.py")
    monkeypatch.setattr("arena.entrants.folder.Folder.read", refuse)
    with pytest.raises(BotError, match=r"cannot be read: .*Permission denied"):
        parse("mine.py")


def test_two_bots_of_one_name_are_refused_until_one_is_renamed(bundled: dict[str, Path]) -> None:
    def names(*texts: str) -> list[str]:
        found = [parse_entrant(text, bundled).name for text in texts]
        refuse_alike(found)
        return found

    with pytest.raises(BotError, match=r"two bots are called 'clever'; .* NAME=BOT"):
        names("clever", "deep", "clever --easy")
    with pytest.raises(BotError, match=r"two bots are called 'clever' and 'Clever'"):
        names("clever", "Clever=deep")
    assert names("clever", "deep", "easy=clever --easy") == ["clever", "deep", "easy"]
