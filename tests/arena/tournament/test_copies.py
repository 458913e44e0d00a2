"""Bots play from what their hashes cover: nothing else that lies in their folders is run or read.

The attacks are bots in folders whose hash is that of an honest bot.
"""

import contextlib
import os
import py_compile
import resource
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from arena.entrants import Copies, parse_entrant
from arena.errors import BotError, StorageError, UserError
from arena.executors import LocalWorkers
from arena.isolation import Choice, Level, prove
from arena.store import Store, Tournament
from arena.tournament import copied

if TYPE_CHECKING:
    from arena.records import Game

Play = Callable[..., Store]
MakeTournament = Callable[..., Tournament]

BOT = """
from arena import Bot, run
{imports}

class Mine(Bot):
    name = {name}
    def choose_shots(self, count):
        {body}
        return self.untried[:count]

run(Mine)
"""


def write(path: Path, *, name: str = "'mine'", imports: str = "", body: str = "pass") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(BOT.format(name=name, imports=imports, body=body), encoding="utf-8")
    return path


@cache
def proved(*levels: Level) -> Choice | None:
    """Return the first of these levels that holds here."""
    for level in levels:
        promises = prove(level)
        if level is Level.NONE or all(promise.held for promise in promises):
            return Choice(level, promises)
    return None


def lost(store: Store, cup: Tournament) -> list[tuple[str, str]]:
    """Return who forfeited games, and why."""
    games: list[Game] = list(store.games(cup.name))
    assert games
    return [
        (str(game.fixture.first if game.forfeit == "first" else game.fixture.second), game.reason)
        for game in games
        if game.forfeit
    ]


@pytest.fixture(autouse=True)
def copies_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder in which copies are made."""
    folder = tmp_path / "copies"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


@pytest.fixture(params=[(Level.NONE,), (Level.SANDBOX, Level.LITE)], ids=["weakest", "strongest"])
def isolation(request: pytest.FixtureRequest) -> Choice:
    """Return the weakest level of isolation, and the strongest that holds here."""
    choice = proved(*request.param)
    if choice is None:
        pytest.skip("no bot can be isolated here: apt install bubblewrap")
    return choice


def test_of_two_bots_with_one_hash_each_plays_for_itself(
    tmp_path: Path, play: Play, make_tournament: MakeTournament, isolation: Choice
) -> None:
    named = "__import__('pathlib').Path(__file__).stem"
    texts = [str(write(tmp_path / name / f"{name}.py", name=named)) for name in ("alpha", "beta")]
    cup = make_tournament(*texts)
    assert len({entrant.digest for entrant in cup.entrants}) == 1
    store = play("cup.sqlite3", cup, 2, executor=LocalWorkers(1), isolation=isolation)
    [origin] = store.origins(cup.name)
    said = {name: bot.name for name, bot in origin.introduced.items()}
    assert said == {"alpha": "alpha", "beta": "beta"}


@pytest.fixture
def victim_and_copy(tmp_path: Path) -> list[Path]:
    """Return the folders of two bots of one content, each with a module of its own."""
    folders = [tmp_path / name for name in ("victim", "zzz")]
    for folder in folders:
        write(folder / "bot.py", imports="import plan", body="plan.plan()")
        (folder / "plan.py").write_text("def plan(): ...\n", encoding="utf-8")
    return folders


def compile_unchecked(folder: Path, module: str, text: str) -> None:
    """Put compiled Python beside a module, which is loaded whatever the module says."""
    other = folder / "other.py"
    other.write_text(text, encoding="utf-8")
    py_compile.compile(
        str(other),
        cfile=str(folder / "__pycache__" / f"{module}.{sys.implementation.cache_tag}.pyc"),
        invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
    )
    other.unlink()


def test_compiled_python_in_a_copy_neither_sabotages_the_original_nor_is_run(
    victim_and_copy: list[Path], play: Play, make_tournament: MakeTournament, isolation: Choice
) -> None:
    compile_unchecked(victim_and_copy[1], "plan", "def plan(): raise SystemExit('sabotage')\n")
    cup = make_tournament(*map(str, victim_and_copy))
    assert len({entrant.digest for entrant in cup.entrants}) == 1
    store = play("cup.sqlite3", cup, 4, executor=LocalWorkers(1), isolation=isolation)
    assert lost(store, cup) == []


HIDDEN = {
    "a hidden module": ("import sys; sys.path.insert(0, here('.lib')); import secret", "secret"),
    "a hidden file": ("text = open(here('.env')).read()", ".env"),
    "a compiled module without its source": (
        "import glob\n[file] = glob.glob(here('__pycache__/extra.*'))",
        "not enough values",
    ),
}


@pytest.mark.parametrize("what", HIDDEN)
def test_what_no_hash_covers_is_not_there(
    tmp_path: Path,
    play: Play,
    make_tournament: MakeTournament,
    isolation: Choice,
    what: str,
) -> None:
    uses, missing = HIDDEN[what]
    here = "import os\ndef here(name): return os.path.join(os.path.dirname(__file__), name)\n"
    team = tmp_path / "team"
    write(team / "bot.py", imports=here + uses)
    (team / ".lib").mkdir()
    (team / ".lib" / "secret.py").write_text("", encoding="utf-8")
    (team / ".env").write_text("", encoding="utf-8")
    compile_unchecked(team, "extra", "")
    cup = make_tournament(str(team), "hunt_target")
    store = play("cup.sqlite3", cup, 2, isolation=isolation)
    for loser, reason in lost(store, cup):
        assert loser == "team"
        assert missing in reason
    assert len(lost(store, cup)) == 2


@pytest.mark.parametrize("command", [False, True], ids=["file", "command"])
def test_a_bot_that_is_a_file_finds_nothing_beside_it(  # noqa: PLR0913 - fixtures
    tmp_path: Path,
    play: Play,
    make_tournament: MakeTournament,
    isolation: Choice,
    monkeypatch: pytest.MonkeyPatch,
    *,
    command: bool,
) -> None:
    # An interpreter counts as a command where its folder is on the path.
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    here = "import sys, os; sys.path.insert(0, os.path.dirname(__file__)); import friend"
    script = write(tmp_path / "clever.py", imports=here)
    (tmp_path / "friend.py").write_text("", encoding="utf-8")
    (tmp_path / "clever.py.files").mkdir()
    (tmp_path / "clever.py.files" / "friend.py").write_text("", encoding="utf-8")
    text = f"clever={sys.executable} {script}" if command else str(script)
    cup = make_tournament(text, "hunt_target")
    store = play("cup.sqlite3", cup, 2, isolation=isolation)
    assert [loser for loser, _ in lost(store, cup)] == ["clever"] * 2
    # The author is told by the hint which file it was.
    assert all("friend" in reason and "lies beside" in reason for _, reason in lost(store, cup))


def test_traces_name_the_files_that_the_author_knows(
    tmp_path: Path, play: Play, make_tournament: MakeTournament, copies_of: Path, isolation: Choice
) -> None:
    write(tmp_path / "team" / "bot.py", imports="import plan", body="plan.plan()")
    (tmp_path / "team" / "plan.py").write_text("def plan(): 1 / 0\n", encoding="utf-8")
    cup = make_tournament(str(tmp_path / "team"), "hunt_target")
    store = play("cup.sqlite3", cup, 2, isolation=isolation)
    text = "\n".join(store.stderr(cup.name).values())
    assert f'File "{tmp_path}/team/plan.py"' in text
    assert str(copies_of) not in text


def test_what_the_author_changes_while_it_plays_is_not_played(
    tmp_path: Path, play: Play, make_tournament: MakeTournament
) -> None:
    script = write(tmp_path / "team.py")
    cup = make_tournament(str(script), "hunt_target")

    def change(done: int, _all: int) -> None:
        if done:
            script.write_text("raise SystemExit('half done')", encoding="utf-8")

    store = play("cup.sqlite3", cup, 24, progress=change)
    assert len(set(map(str, store.played(cup.name)))) > 1
    assert lost(store, cup) == []


REWRITES = """
import os, pathlib
home = pathlib.Path(__file__).parent
home.chmod(0o755)
(home / "plan.py").chmod(0o644)
(home / "plan.py").write_text("def plan(): ...")
"""


def test_a_bot_that_changes_what_its_next_process_runs_is_refused(
    tmp_path: Path, play: Play, make_tournament: MakeTournament
) -> None:
    write(tmp_path / "team" / "bot.py", imports=REWRITES + "import plan", body="plan.plan()")
    (tmp_path / "team" / "plan.py").write_text("def plan(): ...\n", encoding="utf-8")
    cup = make_tournament(str(tmp_path / "team"), "hunt_target")
    with pytest.raises(BotError, match=r"team: its files were changed while it played"):
        play("cup.sqlite3", cup, 2)


def test_a_bot_that_was_changed_since_it_was_entered_does_not_play(tmp_path: Path) -> None:
    script = write(tmp_path / "team.py")
    entrant = parse_entrant(str(script), {})
    script.write_text(script.read_text(encoding="utf-8").replace("mine", "ours"), encoding="utf-8")
    with pytest.raises(BotError, match=r"team.py': it was changed since it was read; try again"):
        Copies([entrant])


def test_source_that_is_gone_is_no_trouble_of_the_place_for_copies(tmp_path: Path) -> None:
    script = write(tmp_path / "team" / "team.py")
    entrant = parse_entrant(str(script), {})
    script.unlink()
    with pytest.raises(UserError, match=r"bot team: it cannot be read: .*team.py") as found:
        Copies([entrant])
    assert not isinstance(found.value, StorageError)
    assert "TMPDIR" not in str(found.value)


@contextlib.contextmanager
def no_room() -> Iterator[None]:
    """Let nothing be written that is longer than ten bytes, also not what pytest says."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_copy_that_cannot_be_written_is_trouble_of_the_machine(tmp_path: Path) -> None:
    entrant = parse_entrant(str(write(tmp_path / "team.py")), {})
    with no_room(), pytest.raises(StorageError, match=r"cannot be copied to .*TMPDIR"):
        Copies([entrant])


def test_nowhere_to_write_is_trouble_of_the_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entrant = parse_entrant(str(write(tmp_path / "team.py")), {})
    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.setattr(tempfile, "_candidate_tempdir_list", lambda: [str(tmp_path / "gone")])
    with pytest.raises(StorageError, match=r"no folder for copies of bots .*TMPDIR"):
        Copies([entrant])


def test_bots_that_could_read_copies_do_not_play(tmp_path: Path, copies_of: Path) -> None:
    entrant = parse_entrant(str(write(tmp_path / "team.py")), {})
    granted = replace(entrant.program, grants=(str(copies_of),))
    reader = replace(entrant, program=granted)
    with pytest.raises(BotError, match=r"could read it.*TMPDIR"), copied([reader], Level.LITE):
        pass


KILLED = """
import os, signal, sys, tempfile
from arena.entrants import Copies, parse_entrant
tempfile.tempdir = sys.argv[1]
with Copies([parse_entrant(sys.argv[2], {})]):
    print("made", flush=True)
    sys.stdin.read()
"""


def test_copies_are_removed_and_those_of_a_killed_process_by_the_next(
    tmp_path: Path, copies_of: Path
) -> None:
    script = str(write(tmp_path / "team.py"))
    with subprocess.Popen(
        [sys.executable, "-c", KILLED, str(copies_of), script],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        left = list(copies_of.iterdir())
        assert len(left) == 1
        with Copies([parse_entrant(script, {})]):
            assert left[0].exists()  # its process lives
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert list(copies_of.iterdir()) == left
    with Copies([parse_entrant(script, {})]):
        assert not left[0].exists()
    assert list(copies_of.iterdir()) == []
