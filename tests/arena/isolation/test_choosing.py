"""The level of isolation is chosen by what the probe found."""

import os
import signal
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from arena.errors import UserError
from arena.isolation import PROMISES, Choice, Level, Promise, choose, proof, prove

Found = dict[Level, Any]


@pytest.fixture
def found(monkeypatch: pytest.MonkeyPatch) -> Iterator[Found]:
    """Return what the probe finds at each level: nothing, but for what a test sets."""
    outcomes: Found = {}
    monkeypatch.setattr(
        proof, "_try", lambda level: outcomes.get(level, dict.fromkeys(PROMISES[level]))
    )
    monkeypatch.setattr(proof, "how_to_fix", lambda level, detail: f"fix {level}: {detail}")
    prove.cache_clear()
    yield outcomes
    prove.cache_clear()


def held(level: Level) -> tuple[Promise, ...]:
    return tuple(Promise(name, held=True) for name in PROMISES[level])


def test_promise_holds_if_the_probe_tried_it_and_found_nothing(found: Found) -> None:
    names = PROMISES[Level.NONE]
    found[Level.NONE] = {names[0]: None, names[1]: "it is open"}
    broken = Promise(names[1], held=False, detail="it is open", fix="fix none: it is open")
    rest = [
        Promise(name, held=False, detail="it was not tried", fix="fix none: it was not tried")
        for name in names[2:]
    ]
    assert prove(Level.NONE) == (Promise(names[0], held=True), broken, *rest)


def test_strongest_level_that_holds_is_chosen(found: Found) -> None:
    assert choose("auto") == Choice(Level.SANDBOX, held(Level.SANDBOX), ())
    prove.cache_clear()
    found[Level.SANDBOX] = "bwrap is not installed"
    found[Level.LITE] = dict.fromkeys(PROMISES[Level.LITE]) | {
        "locks": "flock works",
        "kernel": "x",
    }
    steps = (
        "no 'sandbox' here: bwrap is not installed; fix: fix sandbox: bwrap is not installed",
        "no 'lite' here: promise 'locks': flock works; fix: fix lite: flock works",
    )
    assert choose("auto") == Choice(Level.LIMITS, held(Level.LIMITS), steps)


def test_none_is_left_where_nothing_holds(found: Found) -> None:
    for level in Level:
        found[level] = "it did not start"
    choice = choose("auto")
    assert choice.level is Level.NONE
    assert [step.split("'")[1] for step in choice.steps_down] == ["sandbox", "lite", "limits"]
    assert choose("none") == Choice(Level.NONE, prove(Level.NONE))
    with pytest.raises(UserError) as caught:
        choose("lite")
    assert str(caught.value) == (
        "isolation 'lite' does not hold here: it did not start; fix: fix lite: it did not start; "
        "see `salvo doctor`"
    )


@pytest.mark.usefixtures("found")
def test_level_that_is_asked_for_is_chosen_if_it_holds() -> None:
    for level in Level:
        assert choose(level.value) == Choice(level, held(level))


def child(said: bytes, complained: bytes, status: str | None) -> Any:  # noqa: ANN401 - a child
    """Return a probe that has ended, or says no more."""
    ends = []
    for text in (said, complained):
        reader, writer = os.pipe()
        os.write(writer, text)
        os.close(writer)
        ends.append(reader)
    killed: list[bool] = []
    return SimpleNamespace(
        stdout=ends[0],
        stderr=ends[1],
        status=lambda: status,
        wait=lambda _grace_s: None,
        kill=lambda: [killed.append(True), *map(os.close, ends)],
        killed=killed,
    )


@pytest.mark.parametrize(
    ("said", "complained", "status", "outcome"),
    [
        (b'{"files": null, "locks": "x"}', b"", None, {"files": None, "locks": "x"}),
        (b'{"files": null}', b"a warning\n", "exited with code 0", {"files": None}),
        (b"", b"Traceback\nOSError: no\n", "exited with code 1", "OSError: no"),
        (b"{", b" \n", "exited with code 1", "exited with code 1"),
        (b"", b"", None, "no answer came within 10 s"),
        (b"", b"", "was killed by SIGSYS", "was killed by SIGSYS"),
        (b"", b"", "was killed by SIGKILL", "its probe was killed by SIGKILL, 3 times in a row"),
    ],
)
def test_outcome_is_what_the_probe_says_or_its_end(
    monkeypatch: pytest.MonkeyPatch,
    said: bytes,
    complained: bytes,
    status: str | None,
    outcome: object,
) -> None:
    started: list[Any] = []

    def start(level: Level, program: Any) -> Any:  # noqa: ANN401 - a child
        assert level is Level.LITE
        assert program.memory_mb == 256
        started.append(child(said, complained, status))
        return started[-1]

    monkeypatch.setattr(proof, "start", start)
    assert proof._try(Level.LITE) == outcome
    assert len(started) == (3 if "in a row" in str(outcome) else 1)
    assert all(one.killed for one in started)


def test_level_at_which_nothing_starts_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_given: object) -> None:
        raise FileNotFoundError("bwrap is not installed")

    monkeypatch.setattr(proof, "start", fail)
    assert proof._try(Level.SANDBOX) == "bwrap is not installed"


def test_probe_is_waited_for_until_its_time_is_up(monkeypatch: pytest.MonkeyPatch) -> None:
    now_s, asked_s = iter([100.0, 100.0, 105.0, 110.0]), []

    def select(ones: list[int], _written: object, _odd: object, left_s: float) -> Any:  # noqa: ANN401
        assert len(ones) == 2
        asked_s.append(left_s)
        return [], [], []

    monkeypatch.setattr(proof, "time", SimpleNamespace(monotonic=lambda: next(now_s)))
    monkeypatch.setattr(proof, "select", SimpleNamespace(select=select))
    silent = child(b"", b"", None)
    assert proof._outcome(silent) == "no answer came within 10 s"
    silent.kill()
    assert asked_s == [10.0, 5.0]


@pytest.mark.parametrize(("uid", "running", "most"), [(0, 100, 356), (9, None, 256)])
def test_canaries_are_there_for_everybody_and_gone_afterwards(
    monkeypatch: pytest.MonkeyPatch, uid: int, running: int | None, most: int
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: uid)
    monkeypatch.setattr(proof, "tasks_running", lambda: running)
    with proof._canaries() as canaries:
        assert os.environ[canaries["variable"]] == "canary"
        modes = [os.stat(canaries[name]).st_mode & 0o777 for name in ("folder", "file", "writable")]  # noqa: PTH116
        assert modes == [0o777, 0o666, 0o666]
        assert (canaries["most_tasks"], canaries["root"]) == (most, uid == 0)
        assert (canaries["memory_mb"], canaries["arena"]) == (256, os.getpid())
        os.kill(canaries["other"], 0)
        assert os.path.exists(canaries["socket"])  # noqa: PTH110
    assert canaries["variable"] not in os.environ
    assert not os.path.exists(canaries["folder"])  # noqa: PTH110
    with pytest.raises(ProcessLookupError):
        os.kill(canaries["other"], signal.SIGCONT)
