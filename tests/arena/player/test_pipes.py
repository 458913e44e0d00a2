"""Lines over pipes whose other ends the test holds: no process runs, and nothing is waited for."""

import os
import threading
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, cast

import pytest

from arena.player import Fault, Masking, ProcessTransport
from arena.player.player import Killed
from arena.records import Termination

if TYPE_CHECKING:
    from arena.isolation import Child

LONG_S = 20.0
LARGE = 300_000


class Pipes:
    """A child whose end of the pipes the test holds, and whose state it sets.

    Attributes:
        done: What was done to it, in order.
    """

    def __init__(self, *, notices_end: bool = True) -> None:
        self.its_input, self.stdin = os.pipe()
        self.stdout, self.its_output = os.pipe()
        self.stderr, self.its_stderr = os.pipe()
        self.pidfd, self.its_life = os.pipe() if notices_end else (-1, -1)
        self._open = {self.its_input, self.stdin, self.stdout, self.its_output, self.stderr}
        self._open |= {self.its_stderr, *(one for one in (self.pidfd, self.its_life) if one >= 0)}
        for end in (self.stdin, self.stdout, self.stderr):
            os.set_blocking(end, False)
        self.done: list[object] = []
        self.ended: str | None = None
        self.killed = False
        self.most_mb: int | None = None

    def __getattr__(self, name: str) -> Callable[..., None]:
        """Return what notes that it was called."""
        return lambda *given: self.done.append((name, *given))

    def status(self) -> str | None:
        return self.ended

    def was_killed(self) -> bool:
        return self.killed

    def exceeded_mb(self) -> int | None:
        return self.most_mb

    def close_stderr(self) -> None:
        self.close(self.stderr)

    def close(self, *ends: int) -> None:
        for end in ends or tuple(self._open):
            self._open.remove(end)
            os.close(end)


class Log:
    """Keeps what a bot wrote to stderr."""

    def __init__(self) -> None:
        self.text = b""
        self.closed = False
        self.heard = threading.Event()

    def write(self, data: bytes) -> None:
        self.text += data
        self.heard.set()

    def close(self) -> None:
        self.closed = True


def connected(child: Pipes, *given: Any) -> ProcessTransport:  # noqa: ANN401 - log and masking
    return ProcessTransport(cast("Child", child), *given)


@pytest.fixture
def child() -> Iterator[Pipes]:
    child = Pipes()
    yield child
    child.close()


def later() -> float:
    return time.monotonic() + LONG_S


def now() -> float:
    return time.monotonic()


def fault(act: Callable[[], object]) -> Fault:
    with pytest.raises(Fault) as caught:
        act()
    return caught.value


def test_line_in_pieces_is_read_once_it_is_whole(child: Pipes) -> None:
    bot = connected(child)
    os.write(child.its_output, b"on")
    assert bot.receive(now()) is None
    os.write(child.its_output, b"e\ntwo\nth")
    assert [bot.receive(now()), bot.receive(now()), bot.receive(now())] == [
        b"one\n",
        b"two\n",
        None,
    ]
    os.write(child.its_output, b"ree\n")
    assert bot.receive(now()) == b"three\n"
    assert child.done == []


def test_secrets_are_masked_in_answers_and_in_stderr(child: Pipes) -> None:
    log = Log()
    bot = connected(child, log, Masking(["hush-hush"]))
    os.write(child.its_stderr, b"a hush-hush b hush-")
    os.write(child.its_output, b"is hush-hush\n")
    assert bot.receive(later()) == b"is ***\n"
    assert bot.stderr() == "a *** b ***"
    assert log.text == b"a *** b "
    bot.close(grace_s=0)
    assert (log.text, log.closed) == (b"a *** b ***", True)


@pytest.mark.parametrize(
    ("status", "stderr", "kind", "reason"),
    [
        (None, b"", Fault, "closed its output"),
        ("exited with code 3", b"", Fault, "exited with code 3"),
        ("exited with code 1", b"x\nno idea\n", Fault, "exited with code 1: no idea"),
        ("was killed by SIGKILL", b"", Killed, "was killed by SIGKILL"),
    ],
)
def test_closed_output_is_an_end(
    child: Pipes, status: str | None, stderr: bytes, kind: type, reason: str
) -> None:
    bot = connected(child)
    child.ended, child.killed = status, kind is Killed
    os.write(child.its_stderr, stderr)
    os.write(child.its_output, b"last\nhalf")
    child.close(child.its_output)
    assert bot.receive(later()) == b"last\n"
    found = fault(lambda: bot.receive(later()))
    assert (type(found), found.termination, found.reason) == (kind, Termination.EXITED, reason)
    assert [name for name, *_ in child.done] == ["resume", "settle"]


def test_process_that_ended_is_noticed_though_another_holds_its_output(child: Pipes) -> None:
    bot = connected(child)
    os.write(child.its_life, b"x")
    assert fault(lambda: bot.receive(later())).reason == "ended"
    child.ended = "exited with code 4"
    assert fault(lambda: bot.receive(later())).reason == "exited with code 4"


def test_last_line_of_a_process_that_ended_is_read(child: Pipes) -> None:
    bot = connected(child)
    os.write(child.its_output, b"last\n")
    os.write(child.its_life, b"x")
    assert bot.receive(later()) == b"last\n"
    assert fault(lambda: bot.receive(later())).reason == "ended"


def test_end_is_asked_for_where_the_system_does_not_tell_it() -> None:
    child = Pipes(notices_end=False)
    bot = connected(child)
    assert bot.receive(now()) is None
    child.ended = "exited with code 4"
    os.write(child.its_output, b"last\n")
    assert bot.receive(now()) == b"last\n"
    assert fault(lambda: bot.receive(now())).reason == "exited with code 4"
    child.close()


def test_silent_process_of_which_the_system_tells_the_end_is_not_asked(child: Pipes) -> None:
    child.ended = "exited with code 4"
    assert connected(child).receive(now()) is None


def test_memory_is_looked_at_when_it_is_time(child: Pipes, monkeypatch: pytest.MonkeyPatch) -> None:
    child.most_mb = 512
    monkeypatch.setattr("arena.player.process_transport.LOOK_S", LONG_S)
    os.write(child.its_output, b"one\n")
    assert connected(child).receive(later()) == b"one\n"
    monkeypatch.setattr("arena.player.process_transport.LOOK_S", 0.0)
    os.write(child.its_output, b"two\n")
    found = fault(lambda: connected(child).receive(later()))
    assert (found.termination, found.reason) == (
        Termination.EXITED,
        (
            "was ended, since its processes together use more than 512 MB of memory; ask for more "
            "with memory_mb in its TOML"
        ),
    )
    child.most_mb = None
    assert connected(child).receive(later()) == b"two\n"


@pytest.mark.parametrize(("written", "heard"), [(9, True), (10, False), (11, False)])
def test_stderr_is_closed_to_one_that_floods_it(
    child: Pipes, monkeypatch: pytest.MonkeyPatch, written: int, *, heard: bool
) -> None:
    monkeypatch.setattr("arena.player.process_transport.STDERR_DRAINED_BYTES", 10)
    log = Log()
    bot = connected(child, log)
    for turn in range(1, 4):
        bot.send(b"asked\n", later())
        os.write(child.its_stderr, b"x" * written)
        os.write(child.its_output, b"one\n")
        assert bot.receive(later()) == b"one\n"
        assert bot.stderr() == "x" * written * turn
        assert log.text == b"x" * written * turn
        if not heard:
            with pytest.raises(BrokenPipeError):
                os.write(child.its_stderr, b"x")
            os.write(child.its_output, b"two\n")
            assert bot.receive(later()) == b"two\n"
            break


def test_stderr_that_ends_is_heard_no_more(child: Pipes) -> None:
    bot = connected(child)
    os.write(child.its_stderr, b"words")
    child.close(child.its_stderr)
    for line in (b"one\n", b"two\n"):
        os.write(child.its_output, line)
        assert bot.receive(later()) == line
        assert bot.stderr() == "words"
    assert child.stderr not in child._open


def test_line_that_is_sent_is_written_at_once_where_there_is_room(child: Pipes) -> None:
    connected(child).send(b"asked\n", now() - 1)
    assert os.read(child.its_input, 99) == b"asked\n"
    assert child.done == []


def test_line_larger_than_the_pipe_is_sent_as_it_is_read(child: Pipes) -> None:
    line = bytes(range(250)) * (LARGE // 250)
    heard, log = bytearray(), Log()
    os.write(child.its_stderr, b"patience")

    def read() -> None:
        log.heard.wait(LONG_S)  # what it says meanwhile is heard
        while len(heard) < len(line):
            heard.extend(os.read(child.its_input, 9999))

    reader = threading.Thread(target=read)
    reader.start()
    connected(child, log).send(line, later())
    reader.join()
    assert heard == line
    assert log.text == b"patience"
    assert set(child.done) == {("resume",)}  # it does not read while it is stopped


def test_one_who_does_not_read_is_given_up_with_what_it_said(child: Pipes) -> None:
    log = Log()
    bot = connected(child, log)
    os.write(child.its_stderr, b"words")
    os.write(child.its_stderr, b" and more")
    found = fault(lambda: bot.send(b"x" * LARGE, now()))
    assert found.termination is Termination.TIMEOUT
    assert found.reason == "did not read what it was sent in time"
    assert bot.stderr() == "words and more"


def test_one_who_closed_its_input_has_ended(child: Pipes) -> None:
    bot = connected(child)
    child.close(child.its_input)
    assert fault(lambda: bot.send(b"x\n", later())).reason == "closed its input"
    child.ended = "exited with code 3"
    assert fault(lambda: bot.send(b"x\n", later())).reason == "exited with code 3"


@pytest.mark.parametrize(
    ("grace_s", "done"),
    [
        (0.0, ["close_stdin", "kill"]),
        (0.5, ["close_stdin", "resume", "wait", "kill"]),
    ],
)
def test_bot_is_given_its_grace_and_ended(child: Pipes, grace_s: float, done: list[str]) -> None:
    log = Log()
    bot = connected(child, log)
    os.write(child.its_stderr, b"farewell")
    bot.close(grace_s=grace_s)
    assert [name for name, *_ in child.done] == done
    assert ("wait", 0.5) in child.done or not grace_s
    assert (log.text, log.closed) == (b"farewell", True)
    os.write(child.its_stderr, b" again")
    assert bot.stderr() == "farewell"
