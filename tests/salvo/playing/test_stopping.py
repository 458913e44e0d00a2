"""Ctrl-C: the first is noted, the second raises, and both only where they are to be taken."""

import os
import signal
import threading
from collections.abc import Iterator

import pytest

from salvo.playing.stopping import GracefulStop


def press() -> None:
    os.kill(os.getpid(), signal.SIGINT)


@pytest.fixture
def ignored() -> Iterator[None]:
    """Have Ctrl-C ignored, as in what a shell has started in the background."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    yield
    signal.signal(signal.SIGINT, before)


def test_first_is_said_and_noted_and_the_second_raises(capfd: pytest.CaptureFixture[str]) -> None:
    before = signal.getsignal(signal.SIGINT)
    with GracefulStop(lambda: "games end first") as stop:
        assert not stop()
        press()
        assert stop()
        assert capfd.readouterr() == ("", "\nsalvo: games end first\n")
        with pytest.raises(KeyboardInterrupt):
            press()
    assert stop()
    assert signal.getsignal(signal.SIGINT) is before


@pytest.mark.usefixtures("ignored")
def test_what_is_ignored_stays_so(capfd: pytest.CaptureFixture[str]) -> None:
    with GracefulStop(lambda: "") as stop:
        press()
        assert not stop()
    assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    assert capfd.readouterr() == ("", "")


def test_other_threads_leave_it_to_the_main_thread() -> None:
    before = signal.getsignal(signal.SIGINT)
    found = []

    def look() -> None:
        with GracefulStop(lambda: "") as stop:
            found.append((signal.getsignal(signal.SIGINT), stop()))

    thread = threading.Thread(target=look)
    thread.start()
    thread.join()
    assert found == [(before, False)]
