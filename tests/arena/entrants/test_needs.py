"""The small TOML that tells what a bot needs."""

import re
import sys
from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest

from arena.entrants import Entrant, Terms, keep, parse_entrant
from arena.entrants.needs import MAX_TOML_KB, parse_needs
from arena.errors import BotError


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder with a bot that is a folder, and one that is a file."""
    monkeypatch.chdir(tmp_path)
    Path("team").mkdir()
    Path("rows.js.files/more").mkdir(parents=True)
    for path in ("team/rows.js", "team/openings.txt", "rows.js", "openings.txt", "rival.js"):
        Path(path).write_text("1", encoding="utf-8")
    for path in ("rows.js.files/openings.txt", "rows.js.files/more/a"):
        Path(path).write_text("1", encoding="utf-8")
    return tmp_path


def needs(text: str, path: str = "team/bot.toml") -> None:
    Path(path).write_text(text, encoding="utf-8")


def parse(text: str, terms: Terms | None = None) -> Entrant:
    return parse_entrant(text, {}, terms or Terms())


def test_command_starts_a_folder_and_its_files_are_found_there(folder: Path) -> None:
    needs('command = "sh rows.js --book openings.txt"')
    team = folder / "team"
    program = parse("team --fast").program
    assert program.argv == (
        *("sh", str(team / "rows.js"), "--book", str(team / "openings.txt")),
        "--fast",
    )
    assert program.folder == str(team)
    assert program.files == (str(team),)


def test_command_may_be_a_list_of_words() -> None:
    needs('command = ["sh", "-c", "two words"]')
    assert parse("team").program.argv == ("sh", "-c", "two words")


@pytest.mark.parametrize("text", ['"bot.py 300"', '["bot.py", "300"]'])
def test_command_that_begins_with_a_python_file_runs_by_the_python_of_salvo(
    folder: Path, text: str
) -> None:
    Path("team/bot.py").touch()
    needs(f"command = {text}")
    script = str(folder / "team" / "bot.py")
    assert parse("team").program.argv == (sys.executable, "-P", "--", script, "300")


def test_command_of_a_bot_that_is_a_python_file_has_its_options(folder: Path) -> None:
    Path("clever.py").touch()
    needs('command = "clever.py 300"', "clever.py.toml")
    script = str(folder / "clever.py")
    assert parse("clever.py").program.argv == (sys.executable, "-P", "--", script, "300")


def test_python_file_by_a_path_with_a_slash_is_a_program(folder: Path) -> None:
    Path("team/bot.py").touch()
    needs('command = "./bot.py 300"')
    assert parse("team").program.argv == (str(folder / "team" / "bot.py"), "300")


def test_memory_and_processes_reach_the_program_where_they_are_granted() -> None:
    needs('command = "sh"\nmemory_mb = 8000\nprocesses = true')
    program = parse("team", Terms(max_memory_mb=8000, processes=True)).program
    assert program.memory_mb == 8000
    assert program.processes


def test_more_memory_than_is_granted_is_refused() -> None:
    needs('command = "sh"\nmemory_mb = 4097')
    with pytest.raises(
        BotError, match=r"asks for 4097 MB, and at most 4096 MB .* with --max-memory 4097"
    ):
        parse("team")


def test_processes_are_refused_where_they_are_not_granted() -> None:
    needs('command = "sh"\nprocesses = true')
    with pytest.raises(BotError, match=r"no bot may; allow it with --allow-processes"):
        parse("team")


def test_what_is_not_named_is_as_for_every_bot() -> None:
    needs('command = "sh"')
    assert parse("team").program.memory_mb == parse("rows.js").program.memory_mb == 1024
    assert not parse("team").program.processes


def test_of_a_folder_all_may_be_read_and_software_that_is_named(folder: Path) -> None:
    needs('command = "sh"\nfiles = ["openings.txt", "/usr/bin/env"]')
    assert parse("team").program.files == (str(folder / "team"),)
    assert "/usr/bin/env" in parse("team").program.software


def test_of_a_file_itself_may_be_read_and_what_is_named_of_its_own_folder(folder: Path) -> None:
    needs('files = ["rows.js.files/more"]', "rows.js.toml")
    files = (str(folder / "rows.js"), str(folder / "rows.js.files" / "more"))
    assert parse("rows.js").program.files == files


def test_what_the_operator_grants_every_bot_may_read(folder: Path) -> None:
    shared = folder / "shared"
    shared.mkdir()
    terms = Terms(grants=(str(shared),))
    needs('command = "sh"\nfiles = ["../shared"]')
    for text in ("rows.js", "sh rows.js", "team"):
        assert str(shared) in parse(text, terms).program.grants
    with pytest.raises(BotError, match="or let every bot read it with --grant"):
        parse("team")


def test_folder_of_python_may_have_needs_too(folder: Path) -> None:
    Path("team/bot.py").write_text("", encoding="utf-8")
    needs("memory_mb = 4096")
    program = parse("team").program
    assert program.argv[-1] == str(folder / "team" / "bot.py")
    assert program.memory_mb == 4096


def test_file_has_its_needs_beside_it_under_its_whole_name(folder: Path) -> None:
    needs('command = "sh rows.js"\nmemory_mb = 512', "rows.js.toml")
    needs("memory_mb = 99", "rows.toml")
    program = parse("rows.js").program
    assert program.argv == ("sh", str(folder / "rows.js"))
    assert program.memory_mb == 512


def test_needs_and_the_files_they_name_are_content() -> None:
    digests = [parse("rows.js").digest]
    needs('files = ["rows.js.files/openings.txt"]', "rows.js.toml")
    digests.append(parse("rows.js").digest)
    Path("rows.js.files/openings.txt").write_text("2", encoding="utf-8")
    digests.append(parse("rows.js").digest)
    needs('files = ["rows.js.files"]', "rows.js.toml")
    digests.append(parse("rows.js").digest)
    Path("rows.js.files/more/a").write_text("2", encoding="utf-8")
    digests.append(parse("rows.js").digest)
    assert len(set(digests)) == len(digests)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("command =", "Invalid value"),
        ('memory = "1 GB"', "unknown field `memory`; the fields are command, files, memory_mb"),
        ("memory_mb = 1", "`int` >= 64 - at `$.memory_mb`"),
        ('memory_mb = "much"', "Expected `int`, got `str` - at `$.memory_mb`"),
        ("memory_mb = 1000000", "`int` <= 65536 - at `$.memory_mb`"),
        ('files = ["nowhere"]', "files: there is no 'nowhere'; name what is there"),
        ('files = ["../openings.txt"]', "'../openings.txt' lies neither in its own folder nor"),
        ('files = ["/etc/passwd"]', "put it there, or let every bot read it with --grant"),
        ('files = ["/usr/../etc/passwd"]', "'/usr/../etc/passwd' lies neither"),
        ('command = ["../rows.js"]', "command: '../rows.js' lies neither in its own folder nor"),
        ('command = ["sh", "../rows.js"]', "command: '../rows.js' lies neither"),
        ('command = ["./later"]', "command: there is no './later'"),
        ('command = ["/etc/passwd"]', "command: '/etc/passwd' lies neither"),
        ('command = ["a\\u0000b"]', "at `$.command[0]`"),
        ("files = 'openings.txt'", "Expected `array`, got `str` - at `$.files`"),
        ("command = ' '", "at `$.command`"),
        ("command = []", "at `$.command`"),
        ("""command = "sh 'unclosed" """, "No closing quotation"),
        (
            r'"a\u001b]0;b\u0007\u202e\nc" = 1',
            r"unknown field `a\x1b]0;b\x07\u202e\nc`; the fields",
        ),
        ("memory_mb = 512", "no bot.py, and no bot.toml with a command"),
    ],
)
def test_needs_that_make_no_sense_are_refused_with_the_field(text: str, complaint: str) -> None:
    needs(text)
    with pytest.raises(BotError) as refusal:
        parse("team")
    assert complaint in str(refusal.value)
    assert str(refusal.value).isprintable()


@pytest.mark.parametrize("named", [".", "rival.js", "team", "rows.js.files/../rival.js", ".."])
def test_a_file_is_granted_nothing_that_lies_beside_it(named: str) -> None:
    needs(f'files = ["{named}"]', "rows.js.toml")
    with pytest.raises(BotError, match=r"lies neither in its own folder \(rows\.js\.files\) nor"):
        parse("rows.js")


@pytest.mark.parametrize("word", ["rival.js", "./rival.js", "team/rows.js"])
@pytest.mark.parametrize("first", ["", '"sh", '])
def test_a_file_runs_no_program_that_lies_beside_it(first: str, word: str) -> None:
    needs(f'command = [{first}"{word}"]', "rows.js.toml")
    with pytest.raises(BotError, match=f"command: '{word}' lies neither in its own folder"):
        parse("rows.js")


def test_the_link_of_a_virtual_environment_starts_as_it_is(folder: Path) -> None:
    Path("team/venv").mkdir()
    Path("team/venv/python").symlink_to("/usr/bin/env")
    needs('command = ["venv/python", "rows.js"]')
    assert parse("team").program.argv[0] == str(folder / "team" / "venv" / "python")


def test_granted_program_starts_by_the_path_that_is_written(folder: Path) -> None:
    tools = folder / "tools"
    tools.mkdir()
    (tools / "sh-1").touch()
    (tools / "sh").symlink_to("sh-1")
    needs('command = "../tools/sh rows.js"')
    program = parse("team", Terms(grants=(str(tools),))).program
    assert program.argv == (str(tools / "sh"), str(folder / "team" / "rows.js"))


def test_needs_that_are_no_utf_8_are_refused() -> None:
    Path("team/bot.toml").write_bytes(b'command = "\xff"')
    with pytest.raises(BotError, match="codec can't decode"):
        parse("team")


def make_environment(path: Path) -> Path:
    """Make what looks like a virtual environment."""
    (path / "bin").mkdir(parents=True)
    (path / "bin" / "python").symlink_to("/bin/sh")
    (path / "pyvenv.cfg").write_text("home = /usr/bin", encoding="utf-8")
    return path


def test_interpreter_of_an_environment_that_is_granted_starts_where_it_is(folder: Path) -> None:
    environment = make_environment(folder / "environment")
    needs(f'command = "{environment}/bin/python rows.js"')
    entrant = parse("team", Terms(grants=(str(environment),)))
    assert entrant.program.argv[0] == f"{environment}/bin/python"
    assert str(environment) in entrant.program.grants


def test_interpreter_of_an_environment_that_is_not_granted_is_refused(folder: Path) -> None:
    environment = make_environment(folder / "environment")
    needs(f'command = "{environment}/bin/python rows.js"')
    with pytest.raises(BotError, match=f"every bot read it with --grant {environment}"):
        parse("team")


def test_environment_needs_the_python_that_it_was_made_by(folder: Path) -> None:
    environment, base = make_environment(folder / "environment"), folder / "base"
    (base / "bin").mkdir(parents=True)
    (base / "bin" / "python").touch()
    (environment / "bin" / "python").unlink()
    (environment / "bin" / "python").symlink_to(base / "bin" / "python")
    needs('command = "../environment/bin/python rows.js"')
    for granted, lacking in (((), (environment, base)), ((environment,), (base,))):
        with pytest.raises(BotError) as refused:
            parse("team", Terms(grants=tuple(map(str, granted))))
        assert str(refused.value).endswith(
            f"'../environment/bin/python' needs {' and '.join(map(str, lacking))}, which no bot "
            f"may read; let every bot read it with {' '.join(f'--grant {one}' for one in lacking)}"
        )
    program = parse("team", Terms(grants=(str(environment), str(base)))).program
    assert program.argv[0] == f"{environment}/bin/python"
    (environment / "pyvenv.cfg").unlink()
    with pytest.raises(BotError, match=r"'../environment/bin/python' lies neither in its own"):
        parse("team")


def test_environment_in_a_folder_is_not_its_own_if_it_is_granted(folder: Path) -> None:
    needs('command = "sh rows.js"')
    before = parse("team").digest
    environment = make_environment(folder / "team" / "environment")
    terms = Terms(grants=(str(environment),))
    assert parse("team", terms).digest == before
    (folder / "copies").mkdir()
    copy = keep(folder / "team", folder / "copies", terms)
    assert sorted(path.name for path in copy.iterdir()) == ["bot.toml", "openings.txt", "rows.js"]


def test_temporary_folder_reaches_the_program_where_it_is_granted() -> None:
    needs('command = "sh"\ntemporary_mb = 65')
    with pytest.raises(BotError, match=r"at most 64 MB .* with --max-temporary 65"):
        parse("team")
    assert parse("team", Terms(max_temporary_mb=65)).program.temporary_mb == 65


@pytest.mark.parametrize(
    ("text", "most"),
    [
        ("memory_mb = {}", (64, 65_536)),
        ("temporary_mb = {}", (0, 65_536)),
    ],
)
def test_sizes_may_be_as_said(text: str, most: tuple[int, int]) -> None:
    for size in most:
        assert parse_needs(text.format(size).encode(), "bot.toml")
    for size in (most[0] - 1, most[1] + 1):
        with pytest.raises(BotError, match=r"Expected `int` [<>]= (0|64|65536)"):
            parse_needs(text.format(size).encode(), "bot.toml")


@pytest.mark.parametrize(
    ("field", "words", "most"),
    [
        ("network", [f"example.org:{port}" for port in range(1, 34)], 32),
        ("secrets", [f"KEY{number}" for number in range(9)], 8),
    ],
)
def test_so_many_addresses_and_secrets_may_be_asked_for(
    field: str, words: list[str], most: int
) -> None:
    found = parse_needs(f"{field} = {words[:most]}".encode(), "bot.toml")
    assert found.addresses + found.secrets == tuple(words[:most])
    with pytest.raises(BotError, match=f"Expected `array` of length <= {most}"):
        parse_needs(f"{field} = {words}".encode(), "bot.toml")


def test_toml_of_eight_kilobytes_is_read() -> None:
    needs('command = "sh" '.ljust(MAX_TOML_KB * 1000, "#"))
    assert parse("team").program.argv == ("sh",)


@pytest.mark.parametrize(("length", "shown"), [(120, "x" * 120), (121, "x" * 120 + "...")])
def test_long_word_is_cut_where_it_is_refused(length: int, shown: str) -> None:
    needs(f'files = ["{"x" * length}"]')
    with pytest.raises(BotError, match=f"files: there is no '{re.escape(shown)}'; name"):
        parse("team")


@pytest.mark.parametrize(
    ("field", "least", "most"), [("max_memory_mb", 1024, 65_536), ("max_temporary_mb", 0, 65_536)]
)
def test_operator_may_allow_as_much_as_said(field: str, least: int, most: int) -> None:
    for size in (least, most):
        assert getattr(msgspec.convert({field: size}, Terms), field) == size
    for size in (least - 1, most + 1):
        with pytest.raises(
            msgspec.ValidationError, match=rf"Expected `int` [<>]= ({least}|{most})"
        ):
            msgspec.convert({field: size}, Terms)


@pytest.mark.parametrize(
    ("path", "modes", "reached"),
    [
        ("/usr/lib/book", {}, True),
        ("/usr/lib/book", {"/usr/lib": 0o711, "/usr/lib/book": 0o004}, True),
        ("/usr/lib/book", {"/usr/lib/book": 0o640}, False),
        ("/usr/lib/book", {"/usr/lib": 0o754}, False),
        ("/usr/lib/book", {"/usr": 0o750}, False),
        ("/usr/lib/other", {}, False),
        ("/srv/book", {"/srv": 0o755, "/srv/book": 0o644}, False),
    ],
)
def test_installed_software_is_reached_where_all_may_read_it(
    monkeypatch: pytest.MonkeyPatch, path: str, modes: dict[str, int], *, reached: bool
) -> None:
    there = {"/": 0o755, "/usr": 0o755, "/usr/lib": 0o755, "/usr/lib/book": 0o644} | modes

    def stat(place: Path) -> SimpleNamespace:
        if str(place) not in there:
            raise FileNotFoundError
        return SimpleNamespace(st_mode=there[str(place)])

    with monkeypatch.context() as patched:
        patched.setattr(Path, "stat", stat)
        assert Terms().reach(Path(path)) is reached
