"""The words by which a bot's failure is explained, to the letter; nothing is started."""

import sys
from pathlib import Path
from typing import Any

import pytest

from arena.isolation import Level, Program, hint
from arena.isolation.bubblewrap import MAX_PROCESSES

FORBIDDEN = "PermissionError: [Errno 1] Operation not permitted"


def of_file(folder: Path, **given: Any) -> Program:  # noqa: ANN401 - any field
    fields = {"argv": (sys.executable,), "folder": str(folder), "files": (str(folder / "mine.py"),)}
    return Program(**{**fields, **given})


def of_folder(folder: Path, **given: Any) -> Program:  # noqa: ANN401 - any field
    home = str(folder)
    fields = {"argv": (sys.executable,), "folder": home, "files": (home,), "import_folder": home}
    return Program(**{**fields, **given})


@pytest.mark.parametrize(
    ("stderr", "none", "lite", "sandbox"),
    [
        ("", "", "", ""),
        ("ValueError: no plan", "", "", ""),
        (
            "MemoryError",
            "",
            (
                "isolation lite promises 'memory': it has 1024 MB; give it more with memory_mb in "
                "its bot.toml"
            ),
            (
                "isolation sandbox promises 'memory': it has 1024 MB; give it more with memory_mb "
                "in its bot.toml"
            ),
        ),
        (
            f"in _fork_exec\n{FORBIDDEN}",
            "",
            (
                "isolation lite promises 'forks': no bot can start processes here; do without, or "
                "use --isolation sandbox"
            ),
            (
                "isolation sandbox promises 'forks': start no processes, or set processes = true "
                "in its bot.toml and add --allow-processes"
            ),
        ),
        (
            f"socket\n{FORBIDDEN}",
            "",
            "isolation lite promises 'network': a bot has none; put what it needs into its folder",
            (
                "isolation sandbox promises 'network': a bot has none; put what it needs into its "
                "folder"
            ),
        ),
        (
            "OSError: [Errno 30] Read-only file system: 'x'",
            "",
            (
                "isolation lite promises 'writing': a bot writes no files; print to stderr, which "
                "--log DIR keeps"
            ),
            (
                "isolation sandbox promises 'writing': a bot writes no files; print to stderr, "
                "which --log DIR keeps; temporary_mb in its bot.toml gives it a temporary folder"
            ),
        ),
        ("socket", "", "", ""),
        ("in _fork_exec", "", "", ""),
        ("MemoryError" + "\nmore" * 30, "", "", ""),
        (" " * 490 + "MemoryError", "", "", ""),
    ],
)
def test_failure_is_explained_by_the_promise_that_was_broken(
    tmp_path: Path, stderr: str, none: str, lite: str, sandbox: str
) -> None:
    program = of_folder(tmp_path)
    told = [hint(stderr, program, level) for level in (Level.NONE, Level.LITE, Level.SANDBOX)]
    assert told == [none, lite, sandbox]


def test_words_name_the_toml_of_a_bot_that_is_a_file(tmp_path: Path) -> None:
    told = hint("MemoryError", of_file(tmp_path, memory_mb=77), Level.LIMITS)
    assert told == (
        "isolation limits promises 'memory': it has 77 MB; give it more with memory_mb in "
        "mine.py.toml"
    )
    told = hint("MemoryError", Program(("x",), "/", ()), Level.LIMITS)
    assert told.endswith("in its bot.toml")


@pytest.mark.parametrize(
    ("stderr", "told"),
    [
        (
            f"in _fork_exec\n{FORBIDDEN}",
            "its processes cannot leave their session and group: start none in another",
        ),
        (
            "fork: Resource temporarily unavailable",
            (
                "isolation sandbox promises 'tasks': it started too many processes or threads; "
                f"start fewer than {MAX_PROCESSES}"
            ),
        ),
        (
            "SemLock\nFileNotFoundError: [Errno 2] No such file or directory",
            "this machine gives processes nothing to share, as `salvo doctor` says",
        ),
        (
            f"multiprocessing.managers\nsocket\n{FORBIDDEN}",
            (
                "isolation sandbox promises 'network': forkserver and Manager need sockets, which "
                "no "
                'bot has; start processes by multiprocessing.set_start_method("fork")'
            ),
        ),
    ],
)
def test_bot_that_may_start_processes_is_told_how(tmp_path: Path, stderr: str, told: str) -> None:
    assert hint(stderr, of_folder(tmp_path, processes=True), Level.SANDBOX) == told
    assert hint(stderr, of_folder(tmp_path, processes=True), Level.NONE) == ""


def test_bot_with_a_temporary_folder_is_not_offered_one(tmp_path: Path) -> None:
    told = hint("EROFS", of_folder(tmp_path, temporary_mb=1), Level.SANDBOX)
    assert told.endswith("which --log DIR keeps")


@pytest.mark.parametrize(
    ("argv", "stderr", "told"),
    [
        ("python3", "No module named 'arena'", True),
        ("python3.11", "exec: /home/ada/.pyenv/shims/python: not found", True),
        ("python3", "No module named 'numpy'", False),
        ("/usr/bin/python3", "No module named 'arena'", False),
        ("node", "No module named 'arena'", False),
    ],
)
def test_another_python_is_named(tmp_path: Path, argv: str, stderr: str, *, told: bool) -> None:
    words = (
        f"'{argv}' is not the Python that Salvo runs in; begin the command with the file, as in "
        '"bot.py 300", for the Python of Salvo'
    )
    found = hint(stderr, of_folder(tmp_path, argv=(argv, "bot.py")), Level.NONE)
    assert found == (words if told else "")


def test_module_beside_a_bot_that_is_one_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "helper.py").touch()
    (tmp_path / "tool.js").touch()
    (tmp_path / "package").mkdir()
    both = "lies beside the bot, and a bot that is one file is read alone: put both into a folder,"
    for name, told in (
        ("helper", f"helper.py {both} the bot as bot.py, and name the folder"),
        ("package.deep", f"package {both} with a bot.toml, and name the folder"),
        ("missing", ""),
    ):
        stderr = f"ModuleNotFoundError: No module named '{name}'"
        assert hint(stderr, of_file(tmp_path), Level.NONE) == told
        assert hint(stderr, of_folder(tmp_path), Level.NONE) == ""
    told = f"tool.js {both} with a bot.toml, and name the folder"
    assert hint("Error: Cannot find module './tool'", of_file(tmp_path), Level.NONE) == told


def test_file_that_is_not_the_bots_is_named(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    for name in (".hidden", "data.csv"):
        (home / name).touch()
    (tmp_path / "outside.csv").touch()
    outside = tmp_path / "outside.csv"

    def told(name: str, program: Program, level: Level = Level.SANDBOX) -> str:
        return hint(f"FileNotFoundError: No such file or directory: '{name}'", program, level)

    hidden = ".hidden is hidden or compiled Python, which is not part of a bot; name it as files in"
    for level in (Level.NONE, Level.SANDBOX):
        assert told(".hidden", of_folder(home), level) == f"{hidden} its bot.toml"
    beside = (
        "what lies beside a bot that is one file is not its own; put data.csv into mine.py.files "
        "and name it as files in mine.py.toml, or make the bot a folder"
    )
    assert told("data.csv", of_file(home), Level.NONE) == beside
    assert told("data.csv", of_file(home)) == f"isolation sandbox promises 'files': {beside}"
    apart = (
        f"isolation sandbox promises 'files': put a copy of {outside} into the bot's folder, or "
        f"let every bot read it with --grant {outside}"
    )
    assert told("../outside.csv", of_folder(home)) == apart
    assert told("../outside.csv", of_folder(home), Level.NONE) == ""
    assert told("nowhere", of_folder(home)) == ""
    assert told("data.csv", of_folder(home)).startswith(
        "isolation sandbox promises 'writing': a bot writes no files; print to stderr, which --log"
    )
