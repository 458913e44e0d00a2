"""A shell completes words, asked as bash asks; and real shells do, with a Tab."""

import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pexpect
import pytest

Salvo = Callable[..., Any]
PATIENCE_S = 120
PROGRAMS = Path(sys.executable).parent
INSTALL = {"bash": "~/.bashrc", "zsh": "~/.zshrc", "fish": "completions/salvo.fish"}


@pytest.fixture
def complete(salvo: Salvo, monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
    """Return a function that gives what the last of some words may become."""

    def ask(*words: str) -> list[str]:
        with monkeypatch.context() as patch:
            patch.setenv("_SALVO_COMPLETE", "bash_complete")
            patch.setenv("COMP_WORDS", " ".join(f"'{word}'" for word in ("salvo", *words)))
            patch.setenv("COMP_CWORD", str(len(words)))
            ran = salvo()
        assert ran.code == 0
        assert ran.err == ""
        return [line.removeprefix("plain,") for line in ran.out.split()]

    return ask


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory, salvo_in: Salvo) -> Path:
    """Return the record of two tournaments."""
    folder = tmp_path_factory.mktemp("played")
    quick = ("--rules", "ramesh-1", "--isolation", "none", "--workers", "1")
    salvo_in(
        *(folder, "solo", "hunt_parity", *quick),
        *("--layouts", "1", "--tournament", "spring-cup"),
    )
    salvo_in(
        *(folder, "match", "hunt_target", "uniform_random", *quick),
        *("--games", "2", "--tournament", "summer-cup"),
    )
    return folder / "salvo.sqlite3"


@pytest.fixture
def recorded(salvo: Salvo, played: Path, tmp_path: Path) -> list[str]:
    """Copy that record to where `salvo` runs; return the ids of the newer tournament's games."""
    shutil.copy(played, tmp_path)
    return [row["game"] for row in salvo("games", "--format", "json").json]


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (("tourn",), ["tournament", "tournaments"]),
        (("train", "q_l"), ["q_learning"]),
        (("train", "la"), ["landy"]),
        (("match", "hunt_"), ["hunt_parity", "hunt_target"]),
        (("match", "hunt_target", "uni"), ["uniform_random"]),
        (("tournament", "hunt_target", "stupid", "thompson_"), ["thompson_enumeration"]),
        (("tournament", "--gauntlet", "clev"), ["clever"]),
        (("solo", "mine=clev"), ["mine=clever"]),
        (("check", "optimal_"), ["optimal_row"]),
        (("play", "stu"), ["stupid"]),
        (("submit", "stu"), ["stupid"]),
        (("match", "--rules", "ramesh-"), [f"ramesh-{number}" for number in range(1, 6)]),
        (("rules", "clas"), ["classic"]),
        (("match", "--isolation", "sand"), ["sandbox"]),
        (("match", "--see"), ["--seed"]),
        (("completion", "f"), ["fish"]),
        (("nonsense", "hunt_"), []),
        (("games", "--tournament", ""), []),
        (("replay", ""), []),
        (("withdraw", ""), []),
    ],
)
def test_word_completes(
    complete: Callable[..., list[str]], words: tuple[str, ...], found: list[str]
) -> None:
    assert complete(*words) == found


def test_files_and_folders_are_bots_too(complete: Callable[..., list[str]], tmp_path: Path) -> None:
    (tmp_path / "clever_too.py").touch()
    (tmp_path / "team").mkdir()
    (tmp_path / "team" / "bot.py").touch()
    assert complete("match", "clev") == ["clever", "clever_too.py"]
    assert complete("match", "te") == ["team/"]
    assert complete("match", "team/") == ["team/bot.py"]


@pytest.mark.usefixtures("recorded")
def test_tournaments_of_the_record_complete(complete: Callable[..., list[str]]) -> None:
    assert complete("standings", "--tournament", "s") == ["spring-cup", "summer-cup"]
    assert complete("games", "--tournament", "summer") == ["summer-cup"]


@pytest.mark.usefixtures("recorded")
def test_bots_of_the_tournament_that_is_meant_complete(
    complete: Callable[..., list[str]],
) -> None:
    assert complete("games", "--bot", "") == ["hunt_target", "uniform_random"]
    assert complete("games", "--tournament", "spring-cup", "--bot", "") == ["hunt_parity"]


def test_games_of_the_record_complete(
    complete: Callable[..., list[str]], recorded: list[str]
) -> None:
    assert complete("replay", "")[:2] == [game[:8] for game in reversed(recorded)]
    assert recorded[0][:8] in complete("replay", recorded[0][:3])
    assert complete("replay", recorded[0][:12]) == [recorded[0][:12]]


def test_another_record_is_asked_where_one_is_named(
    complete: Callable[..., list[str]], recorded: list[str], tmp_path: Path
) -> None:
    (tmp_path / "salvo.sqlite3").rename(tmp_path / "other.sqlite3")
    assert complete("replay", "") == []
    assert len(complete("replay", "--db", "other.sqlite3", "")) == len(recorded) + 1


@pytest.mark.parametrize("shell", INSTALL)
def test_help_says_in_one_line_how_each_shell_is_set_up(salvo: Salvo, shell: str) -> None:
    told = salvo("completion", "--help").out.splitlines()
    assert any(f"salvo completion {shell}" in line and INSTALL[shell] in line for line in told)


def start(shell: str, folder: Path, *options: str) -> "pexpect.spawn[str]":
    """Start a shell that finds ``salvo`` and has an empty folder for a home."""
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"{shell} is not installed: apt install {shell}")
    child = pexpect.spawn(
        program,
        list(options),
        cwd=str(folder),
        env={
            "HOME": str(folder),
            "PATH": os.pathsep.join([str(PROGRAMS), "/usr/bin", "/bin"]),
            "TERM": "dumb",
            "LANG": "C.UTF-8",
        },
        encoding="utf-8",
        timeout=PATIENCE_S,
        dimensions=(24, 200),
    )
    child.delaybeforesend = 0
    return child


def test_bash_completes_a_bot_by_tab(tmp_path: Path) -> None:
    """The line that sets it up is the documented one."""
    setup = "echo 'eval \"$(salvo completion bash)\"' >> ~/.bashrc"
    with start("bash", tmp_path, "--norc", "--noprofile", "-i") as shell:
        shell.sendline(f"{setup}; source ~/.bashrc; echo set up: $?")
        shell.expect("set up: 0")
        shell.send("echo salvo; salvo match hunt_p\t")
        shell.expect("hunt_parity ")


def test_zsh_completes_a_preset_by_tab(tmp_path: Path) -> None:
    setup = 'autoload -U compinit; compinit -u; eval "$(salvo completion zsh)"'
    with start("zsh", tmp_path, "-f", "-i") as shell:
        shell.sendline(f"{setup}; echo set up: $?")
        shell.expect("set up: 0")
        shell.send("salvo match --rules afp-i\t")
        shell.expect("afp-immovable ")


def test_fish_completes_a_bot(tmp_path: Path) -> None:
    """Fish has a command that completes a line as a Tab does."""
    folder = tmp_path / ".config" / "fish" / "completions"
    folder.mkdir(parents=True)
    setup = "salvo completion fish > ~/.config/fish/completions/salvo.fish"
    asked = "complete --do-complete 'salvo match hunt_p'"
    with start("fish", tmp_path, "--private", "--command", f"{setup}; and {asked}") as shell:
        shell.expect("hunt_parity")
