"""When, where and by what a block was played, as it is written down."""

import os
import platform
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from arena import origin
from arena.origin import Introduced, origin_of

Machine = Callable[..., str]


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Machine:
    """Return a function that describes a machine with some cores, memory and processor."""

    def described(cores: int, pages: int, processor: str) -> str:
        information = tmp_path / "cpuinfo"
        information.write_text(processor, encoding="utf-8")
        sizes = {"SC_PAGE_SIZE": 4096, "SC_PHYS_PAGES": pages}
        monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(cores)), raising=False)
        monkeypatch.setattr(os, "sysconf", sizes.__getitem__)
        monkeypatch.setattr(platform, "system", lambda: "Linux")
        monkeypatch.setattr(platform, "machine", lambda: "x86_64")
        monkeypatch.setattr(platform, "python_version", lambda: "3.12.1")
        monkeypatch.setattr(origin, "Path", lambda _: information)
        return origin._machine.__wrapped__()

    return described


def test_machine_is_told_in_words(machine: Machine) -> None:
    information = (
        "processor : 0\nmodel name : \nmodel name\t: An  8-core one \nmodel name : Other\n"
    )
    told = "Linux on x86_64, 8 cores (An 8-core one), 16 GB, Python 3.12.1"
    assert machine(8, 4 * 2**20 - 10_000, information) == told
    assert machine(1, 2**18, "") == "Linux on x86_64, 1 core, 1 GB, Python 3.12.1"


def test_load_is_that_of_the_last_minute_for_each_processor(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(os, "getloadavg", lambda: (3.0, 50.0, 70.0))
    for processors, load in ((8, 0.38), (1, 3.0), (None, 3.0)):
        monkeypatch.setattr(os, "cpu_count", lambda count=processors: count)
        assert origin_of({}).load == load


def test_origin_is_of_here_and_now() -> None:
    introduced = {"a": Introduced("A", "me", "2")}
    found = origin_of(introduced)
    assert found.introduced == introduced
    at = datetime.strptime(found.at, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
    assert abs(datetime.now(UTC) - at) < timedelta(minutes=10)
