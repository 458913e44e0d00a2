"""Lines to and from real processes; each is a few lines of Python that write what they please."""

import os
import resource
import select
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from arena.isolation import Child, Level, Program, start
from arena.player import Fault, ProcessTransport, Unsure
from arena.player.meter import exchange
from arena.player.stderr_log import TAIL_BYTES
from arena.protocol import MAX_LINE_BYTES
from arena.records import Termination

SOON_S, LONG_S = 0.2, 20.0

Run = Callable[[str], ProcessTransport]


def soon() -> float:
    return time.monotonic() + SOON_S


def later() -> float:
    return time.monotonic() + LONG_S


@pytest.fixture
def run() -> Iterator[Run]:
    """Return what runs a program, which has os, sys and time imported."""
    transports = []

    def run(code: str) -> ProcessTransport:
        program = Program(
            argv=(sys.executable, "-I", "-c", f"import os, sys, time\n{code}"),
            folder=str(Path.cwd()),
            files=(),
        )
        transports.append(ProcessTransport(start(Level.NONE, program)))
        return transports[-1]

    yield run
    for transport in transports:
        transport.close(grace_s=0)


def open_descriptors() -> set[str]:
    return {path.name for path in Path("/dev/fd").iterdir()}


def child_of(transport: ProcessTransport) -> Child:
    return transport._child


def test_lines_end_at_the_line_feed_alone(run: Run) -> None:
    text = "a\u2028b\u0085c\x1cd\re\x0b\x0cf\n"
    assert run(f"os.write(1, {text.encode()!r})").receive(later()) == text.encode()


def test_longest_line_is_read(run: Run) -> None:
    line = run(rf"sys.stdout.write('x' * {MAX_LINE_BYTES - 1} + '\n')").receive(later())
    assert line is not None
    assert len(line) == MAX_LINE_BYTES


@pytest.mark.parametrize("end", ["\\n", ""])
def test_line_that_is_one_longer_is_a_fault(run: Run, end: str) -> None:
    bot = run(f"sys.stdout.write('x' * {MAX_LINE_BYTES} + '{end}'); sys.stdout.flush()")
    with pytest.raises(Fault, match="line of more than 65536 bytes") as caught:
        bot.receive(later())
    assert caught.value.termination is Termination.MALFORMED


def test_silence_ends_at_the_deadline(run: Run) -> None:
    bot = run("time.sleep(60)")
    begun = time.monotonic()
    assert bot.receive(soon()) is None
    assert time.monotonic() - begun >= SOON_S


def test_chatter_without_an_end_of_line_does_not_move_the_deadline(run: Run) -> None:
    chatter = "os.write(1, b'x'); os.write(2, b'x'); time.sleep(0.001)"
    # If it did, the end of the line would be heard.
    bot = run(f"for _ in range({LONG_S:.0f} * 1000): {chatter}\nos.write(1, b'\\n')")
    assert bot.receive(soon()) is None


def test_answer_that_was_there_in_time_is_taken_however_late_the_arena_is(run: Run) -> None:
    bot = run(r"os.write(1, b'one\n'); time.sleep(60)")
    select.select([child_of(bot).stdout], [], [], LONG_S)
    assert bot.receive(time.monotonic() - 1) == b"one\n"


def test_last_line_of_a_bot_that_left_is_read(run: Run) -> None:
    bot = run(r"os.write(1, b'one\n')")
    child_of(bot).wait(LONG_S)
    assert bot.receive(later()) == b"one\n"


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("sys.exit(3)", "exited with code 3"),
        ("sys.exit('no more')", "exited with code 1: no more"),
        ("os.kill(os.getpid(), 15)", "was killed by SIGTERM"),
        ("os.write(1, b'half a line'); sys.exit(0)", "exited with code 0"),
        ("os.close(1); time.sleep(60)", "closed its output"),
        # The exit of a process can take longer than it takes to notice that its output is closed.
        (
            "os.close(1)\nwhile time.process_time() < 0.2: pass\nsys.exit(3)",
            "exited with code 3",
        ),
        ("os.fork() or time.sleep(60); os._exit(4)", "exited with code 4"),
    ],
)
def test_end_is_distinguished_from_silence(run: Run, code: str, reason: str) -> None:
    with pytest.raises(Fault) as caught:
        run(code).receive(later())
    assert (caught.value.termination, caught.value.reason) == (Termination.EXITED, reason)


def test_end_is_distinguished_from_silence_without_a_pidfd(run: Run) -> None:
    bot = run("os.fork() or time.sleep(60); os._exit(4)")
    child = child_of(bot)
    bot._poll.unregister(child.pidfd)
    os.close(child.pidfd)
    child.pidfd = -1
    with pytest.raises(Fault, match="exited with code 4"):
        bot.receive(soon() + 1)


def test_sending_to_a_bot_that_is_gone_is_a_fault(run: Run) -> None:
    bot = run("sys.exit(3)")
    child_of(bot).wait(LONG_S)
    with pytest.raises(Fault, match="exited with code 3"):
        bot.send(b"{}\n", later())


def test_sending_to_a_bot_that_closed_its_input_is_a_fault(run: Run) -> None:
    bot = run(r"os.close(0); os.write(1, b'done\n'); time.sleep(60)")
    bot.receive(later())
    with pytest.raises(Fault, match="closed its input"):
        bot.send(b"{}\n", later())


def test_line_larger_than_a_pipe_reaches_a_bot_that_is_stopped(run: Run) -> None:
    bot = run("print(len(sys.stdin.readline()), flush=True)")
    bot.pause()
    bot.send(b"x" * 300_000 + b"\n", later())
    assert bot.receive(later()) == b"300001\n"


def test_bot_that_does_not_read_is_given_up_at_the_deadline(run: Run) -> None:
    chatter = "os.write(2, b'x'); time.sleep(0.001)"
    # It reads at last, and who waited for that would see no fault.
    bot = run(f"for _ in range({LONG_S:.0f} * 1000): {chatter}\nsys.stdin.read()")
    with pytest.raises(Fault) as caught:
        bot.send(b"x" * 300_000, soon())
    assert caught.value.termination is Termination.TIMEOUT


def test_end_of_stderr_is_kept(run: Run) -> None:
    bot = run(r"sys.stderr.write('x' * 500_000 + 'the\nend'); print(flush=True); time.sleep(60)")
    assert bot.receive(later()) == b"\n"
    assert bot.stderr() == "x" * (TAIL_BYTES - len("the\nend")) + "the\nend"


def test_bot_that_floods_stderr_ends_by_it(run: Run) -> None:
    with pytest.raises(Fault) as caught:
        run("while True: os.write(2, b'x' * 10_000)").receive(later())
    assert caught.value.termination is Termination.EXITED


def test_much_on_stderr_over_many_turns_is_no_flood(run: Run) -> None:
    bot = run("for line in sys.stdin: sys.stderr.write('x' * 300_000); print(flush=True)")
    for _ in range(10):
        bot.send(b"\n", later())
        assert bot.receive(later()) == b"\n"


def test_stopped_bot_computes_nothing(run: Run) -> None:
    bot = run(r"os.write(1, b'\n')" + "\nwhile True: pass")
    bot.receive(later())
    bot.pause()
    time.sleep(0.05)  # the signal is on its way
    before = bot.times_s()
    time.sleep(0.2)
    assert bot.times_s() == before


def test_stopped_bot_can_be_ended(run: Run) -> None:
    bot = run("time.sleep(60)")
    bot.pause()
    bot.close(grace_s=0)
    assert child_of(bot).was_killed()


def test_bot_that_leaves_when_its_input_ends_has_time_to(run: Run) -> None:
    bot = run("sys.stdin.read(); sys.stderr.write('farewell')")
    bot.pause()
    bot.close(grace_s=LONG_S)
    assert bot.stderr() == "farewell"


def test_bot_that_stays_is_ended_after_its_grace(run: Run) -> None:
    bot = run("time.sleep(60)")
    begun = time.monotonic()
    bot.close(grace_s=SOON_S)
    assert time.monotonic() - begun >= SOON_S
    assert child_of(bot).was_killed()


def test_no_descriptor_is_left_open(run: Run) -> None:
    before = open_descriptors()
    for _ in range(3):
        bot = run(r"os.write(1, b'\n'); time.sleep(60)")
        bot.receive(later())
        bot.times_s()
        bot.close(grace_s=0)
    assert open_descriptors() == before


def test_endless_line_does_not_fill_the_memory(run: Run) -> None:
    bot = run("while True: os.write(1, b'x' * 10_000)")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(Fault):
        bot.receive(later())
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 2048


HOARDER = """
import hashlib, threading
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
until = time.monotonic() + 1
asked = threading.Event()

def hoard(leaps):
    while time.monotonic() < until:
        hashlib.pbkdf2_hmac("sha256", b"", b"", 1000)
    if leaps:
        asked.wait()
        os.execv("/bin/sleep", ["sleep", "100"])

threads = [threading.Thread(target=hoard, args=(not number,)) for number in range(6)]
for thread in threads:
    thread.start()
for thread in threads[1:]:
    thread.join()
print("ready", flush=True)
input()
time.sleep(0.02)
asked.set()
"""
"""Lets threads wait for each other, and then has one of them become the whole process."""


@pytest.mark.skipif(sys.platform != "linux", reason="waits are told by Linux alone")
def test_bot_that_becomes_a_thread_which_waited_long_is_late_and_not_starved(run: Run) -> None:
    transport = run(HOARDER)
    assert transport.receive(later()) == b"ready\n"
    with pytest.raises(Fault, match="did not answer in time") as caught:
        exchange(transport, b"\n", 0.05, lambda: None)
    assert not isinstance(caught.value, Unsure)
