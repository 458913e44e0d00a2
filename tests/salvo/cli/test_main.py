"""How a command ends: by a mistake of its user, by Ctrl-C, or by trouble with a file."""

import ast
import errno
import signal
import sys
import threading
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import click
import pytest

from arena.errors import UserError
from salvo.cli.lazy import first_paragraph
from salvo.cli.main import _interrupt_again, run
from salvo.cli.main import salvo as group


def ended(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    does: Callable[[], object],
    *words: str,
) -> tuple[object, str]:
    """Return how a command that does something ended: its exit code, and what it said."""
    monkeypatch.setattr(sys, "argv", ["it", *words])
    monkeypatch.setattr(sys, "unraisablehook", sys.unraisablehook)
    monkeypatch.setattr(sys, "stdout", sys.stdout)
    command = click.Command("it", callback=does)
    with pytest.raises(SystemExit) as end:
        run(command, "it")
    return end.value.code, capsys.readouterr().err.lstrip("\n")


def raises(error: BaseException) -> Callable[[], object]:
    def does() -> None:
        raise error

    return does


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (UserError("--x: too much; take less"), 2, "salvo: --x: too much; take less\n"),
        (click.UsageError("no such thing."), 2, "salvo: no such thing; see `it --help`\n"),
        (click.ClickException("it broke."), 2, "salvo: it broke\n"),
        (click.Abort(), 130, "salvo: stopped\n"),
        (KeyboardInterrupt(), 130, "salvo: stopped\n"),
        (click.exceptions.Exit(3), 3, ""),
        (OSError(errno.ENOENT, "No such file", "x.txt"), 2, "salvo: x.txt: No such file\n"),
        (OSError(errno.ENOSPC, "No space left"), 2, "salvo: standard output: No space left\n"),
        (OSError("it is gone"), 2, "salvo: standard output: it is gone\n"),
    ],
)
def test_command_ends_with_its_code_and_one_line(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    error: BaseException,
    code: int,
    said: str,
) -> None:
    assert ended(monkeypatch, capsys, raises(error)) == (code, said)


def test_command_that_does_its_work_ends_well(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code, said = ended(monkeypatch, capsys, lambda: None)
    assert (code or 0, said) == (0, "")


def test_group_without_a_command_shows_its_help(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["salvo"])
    monkeypatch.setattr(sys, "unraisablehook", sys.unraisablehook)
    with pytest.raises(SystemExit) as end:
        run(group, "salvo")
    assert end.value.code == 2
    assert "Commands:" in capsys.readouterr().err


def test_ctrl_c_in_a_destructor_is_sent_again_to_the_main_thread(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begun: list[Any] = []

    class Timer:
        daemon = False

        def __init__(self, *given: object) -> None:
            self.given = given

        def start(self) -> None:
            begun.append((*self.given, self.daemon))

    passed_on: list[Any] = []
    monkeypatch.setattr(threading, "Timer", Timer)
    monkeypatch.setattr(sys, "__unraisablehook__", passed_on.append)
    dropped: Any = SimpleNamespace(exc_type=KeyboardInterrupt)
    _interrupt_again(dropped)
    [(_, function, given, is_daemon)] = begun
    assert (function, given) == (signal.pthread_kill, (threading.main_thread().ident, 2))
    assert is_daemon
    assert passed_on == []
    other: Any = SimpleNamespace(exc_type=ValueError)
    _interrupt_again(other)
    assert (len(begun), passed_on) == (1, [other])


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["standing"], "no command is called 'standing'; did you mean 'standings'?"),
        (["zzz"], "no command is called 'zzz'; `salvo --help` lists them"),
    ],
)
def test_nearest_command_is_named(words: list[str], told: str) -> None:
    with pytest.raises(UserError) as refused:
        group.main(words, "salvo", standalone_mode=False)
    assert str(refused.value) == told


def test_help_is_had_by_either_option(capsys: pytest.CaptureFixture[str]) -> None:
    for option in ("-h", "--help"):
        assert group.main([option], "salvo", standalone_mode=False) == 0
    one, other = capsys.readouterr().out.split("Usage:")[1:]
    assert one == other


def test_summary_is_the_first_paragraph_in_one_line() -> None:
    module = ast.parse('"""One line,\nand more.\n\nAnother.\n"""')
    assert first_paragraph(module) == "One line, and more"
    assert first_paragraph(ast.parse("")) == ""
