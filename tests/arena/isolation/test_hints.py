"""A failure that isolation caused names the promise and the fix."""

import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from arena.conformance import check
from arena.entrants import Terms, parse_entrant
from arena.isolation import Level, Program, hint
from arena.player import Fault
from arena.records import Settings
from arena.rules import preset
from arena.tournament import connect, introduce

Reason = Callable[..., str]

WALLED = (Level.LITE, Level.SANDBOX)


@pytest.fixture
def reason(folder: Path) -> Reason:
    """Return what plays a bot of some code for its introduction, and returns why it gave none."""

    def fail(code: str, level: Level, name: str = "mine.py") -> str:
        (folder / name).write_text(code, encoding="utf-8")
        (folder / name).chmod(0o755)
        program = parse_entrant(str(folder / name), {}).program
        with pytest.raises(Fault) as caught:
            introduce(connect(program, preset("salvo"), Settings(), level))
        return caught.value.reason

    return fail


FORKS = {
    Level.LITE: "promises 'forks': no bot can start processes here; do without, or use --isolation",
    Level.SANDBOX: (
        "promises 'forks': start no processes, or set processes = true in mine.py.toml and add "
        "--allow-processes"
    ),
}


STARTS = {
    "subprocess": "import subprocess; subprocess.run(['ls'])",
    "fork": "import os; os.fork()",
    "multiprocessing": "import multiprocessing; multiprocessing.Process(target=print).start()",
    "pool": "import multiprocessing; multiprocessing.Pool(2)",
    "shared memory": (
        "from multiprocessing import shared_memory as s; s.SharedMemory(create=True, size=1)"
    ),
    "forkserver": (
        "import multiprocessing as m; m.get_context('forkserver').Process(target=print).start()"
    ),
}


@pytest.mark.parametrize(
    ("walled", "start"),
    [*((Level.SANDBOX, start) for start in STARTS), (Level.LITE, "fork"), (Level.LITE, "pool")],
)
def test_process_that_may_not_be_started(
    reason: Reason, needs: Callable[[Level], None], walled: Level, start: str
) -> None:
    needs(walled)
    assert FORKS[walled] in reason(STARTS[start], walled)


@pytest.mark.parametrize("walled", WALLED)
def test_substitution_in_bash(
    reason: Reason, needs: Callable[[Level], None], walled: Level
) -> None:
    needs(walled)
    if shutil.which("bash") is None:
        pytest.skip("bash is not installed: apt install bash")
    why = reason("#!/usr/bin/env bash\nread -r line\necho $(date)\n", walled, "mine.sh")
    assert f"fork: Operation not permitted; isolation {walled} promises 'forks': " in why


def test_temporary_folder_is_offered_where_there_can_be_one(
    reason: Reason, needs: Callable[[Level], None]
) -> None:
    needs(Level.SANDBOX)
    offered = "; temporary_mb in mine.py.toml gives it a temporary folder"
    assert offered in reason("open('log.txt', 'a')", Level.SANDBOX)
    assert "temporary_mb" not in reason("open('log.txt', 'a')", Level.LITE)


@pytest.mark.parametrize("walled", WALLED)
@pytest.mark.parametrize(
    ("code", "promise"),
    [
        ("open('log.txt', 'a')", "'writing': a bot writes no files; print to stderr, which --log"),
        ("import tempfile; tempfile.TemporaryFile()", "'writing': a bot writes no files; print to"),
        ("import socket; socket.socket()", "'network': a bot has none; put what it needs into its"),
        (
            "bytearray(3 << 30)",
            "'memory': it has 1024 MB; give it more with memory_mb in mine.py.toml",
        ),
        (
            "open('beside.txt')",
            (
                "'files': what lies beside a bot that is one file is not its own; put beside.txt "
                "into mine.py.files and name it as files in mine.py.toml, or make the bot a folder"
            ),
        ),
        ("open(ELSEWHERE)", "'files': put a copy of ELSEWHERE into the bot's folder, or let every"),
    ],
    ids=["write", "tempfile", "socket", "memory", "file beside", "file elsewhere"],
)
def test_promise_that_was_broken(  # noqa: PLR0913, PLR0917 - two parameters, three fixtures
    reason: Reason,
    needs: Callable[[Level], None],
    folder: Path,
    code: str,
    promise: str,
    walled: Level,
) -> None:
    needs(walled)
    (folder / "beside.txt").write_text("here")
    (folder / "deep").mkdir()
    elsewhere = folder / "deep" / "elsewhere.txt"
    elsewhere.write_text("there")
    why = reason(code.replace("ELSEWHERE", repr(str(elsewhere))), walled)
    assert f"isolation {walled} promises {promise.replace('ELSEWHERE', str(elsewhere))}" in why


BEGINS = """
from arena import Bot, run


class Begins(Bot):
    def game_begins(self):
        open("log.txt", "w")

    def choose_shots(self, count):
        return self.untried[:count]


run(Begins)
"""


@pytest.mark.parametrize("walled", WALLED)
def test_promise_that_was_broken_as_a_game_began(
    needs: Callable[[Level], None], folder: Path, walled: Level
) -> None:
    needs(walled)
    (folder / "begins.py").write_text(BEGINS, encoding="ascii")
    entrant = parse_entrant(str(folder / "begins.py"), {})
    [failed] = [
        step
        for step in check(entrant, preset("salvo"), Settings(), walled)
        if step.verdict == "failed"
    ]
    assert f"isolation {walled} promises 'writing': a bot writes no files" in failed.detail


@pytest.mark.parametrize("level", [Level.NONE, *WALLED])
def test_module_beside_a_bot_that_is_one_file(
    reason: Reason, needs: Callable[[Level], None], folder: Path, level: Level
) -> None:
    needs(level)
    (folder / "helper.py").write_text("")
    assert "No module named 'helper' (mine.py, line 1); helper.py lies beside the bot, and" in (
        reason("import helper", level)
    )


def test_failure_of_another_kind_has_no_hint(reason: Reason) -> None:
    assert reason("import no_such_module", Level.NONE).endswith(
        "ModuleNotFoundError: No module named 'no_such_module' (mine.py, line 1)"
    )


BOX = Program(argv=("/bin/x",), folder="/nowhere", files=("/nowhere/x.js",))


@pytest.mark.parametrize(
    ("stderr", "promise"),
    [
        ("Error: spawnSync ls EPERM", "forks"),
        ("FATAL ERROR: Reached heap limit Allocation failed - JavaScript out of memory", "memory"),
        ("terminate called after throwing an instance of 'std::bad_alloc'", "memory"),
        ("memory allocation of 3221225472 bytes failed", "memory"),
        ("Error: connect EPERM 127.0.0.1:80", "network"),
        ("Error: EROFS: read-only file system, open 'log.txt'", "writing"),
        ("bot.sh: line 3: log.txt: Read-only file system", "writing"),
    ],
)
def test_other_languages_are_understood(stderr: str, promise: str) -> None:
    assert hint(stderr, BOX, Level.SANDBOX).startswith(f"isolation sandbox promises '{promise}': ")


def test_bot_that_may_start_processes_started_too_many() -> None:
    allowed = replace(BOX, processes=True)
    assert "'tasks': it started too many" in hint(
        "x: fork: Resource temporarily unavailable", allowed, Level.SANDBOX
    )


def test_bot_that_starts_processes_by_sockets_is_told_how_else() -> None:
    allowed = replace(BOX, processes=True)
    stderr = (
        '  File "/usr/lib/python3.14/multiprocessing/forkserver.py", line 136, in ensure_running\n'
        "    with socket.socket(socket.AF_UNIX) as listener:\n"
        "PermissionError: [Errno 1] Operation not permitted"
    )
    assert 'multiprocessing.set_start_method("fork")' in hint(stderr, allowed, Level.SANDBOX)
    assert "promises 'forks'" in hint(stderr, BOX, Level.SANDBOX)


def test_process_in_a_session_of_its_own_is_none_too_many() -> None:
    allowed = replace(BOX, processes=True)
    stderr = "  _fork_exec(\nPermissionError: [Errno 1] Operation not permitted: 'sleep'"
    assert "start none in another" in hint(stderr, allowed, Level.SANDBOX)


@pytest.mark.parametrize(
    "stderr",
    ["ModuleNotFoundError: No module named 'arena'", "/x/shims/python: line 12: y: not found"],
)
def test_python_without_salvo_is_no_python_of_the_arena(stderr: str) -> None:
    other = replace(BOX, argv=("python3", "bot.py"))
    assert "'python3' is not the Python that Salvo runs in" in hint(stderr, other, Level.SANDBOX)
    assert "not the Python" not in hint(stderr, BOX, Level.SANDBOX)


@pytest.mark.parametrize(
    "stderr",
    [
        f"x: {'y' * 5000}: Permission denied",
        f"No module named '{'z' * 5000}'",
        "x: \0: Permission denied",
    ],
)
def test_names_that_no_file_can_have_are_no_error(stderr: str) -> None:
    assert "Traceback" not in hint(stderr, BOX, Level.SANDBOX)


@pytest.mark.parametrize("word", ["open(", "open('b", "spawn", ": ", "x"])
def test_a_long_word_costs_no_more_than_its_beginning(word: str) -> None:
    stderr = "Permission denied" + word * (16_384 // len(word)) + "'" * 16_384
    started = time.process_time()
    hint(stderr, BOX, Level.SANDBOX)
    assert time.process_time() - started < 2  # 0.01 s; by the cube of the length, minutes


def test_what_failed_long_before_is_no_hint() -> None:
    assert hint("MemoryError\n" + "moving on\n" * 50, BOX, Level.SANDBOX) == ""


def test_bot_that_is_allowed_to_substitutes_in_bash(
    folder: Path, needs: Callable[[Level], None]
) -> None:
    needs(Level.SANDBOX)
    if shutil.which("bash") is None:
        pytest.skip("bash is not installed: apt install bash")
    bot = folder / "mine.sh"
    bot.write_text(
        "#!/usr/bin/env bash\nread -r line\nname=$(echo Bash)\n"
        """printf '{"type":"hello","protocol":1,"name":"%s"}\n' "$name"\nread -r line\n"""
    )
    bot.chmod(0o755)
    (folder / "mine.sh.toml").write_text("processes = true\n")
    program = parse_entrant(str(bot), {}, Terms(processes=True)).program
    assert introduce(connect(program, preset("salvo"), Settings(), Level.SANDBOX)).name == "Bash"
