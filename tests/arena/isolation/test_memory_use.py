"""Memory of a bot is added up from the files in /proc."""

import os
from pathlib import Path
from types import SimpleNamespace

import pytest

from arena.isolation import memory_use
from arena.isolation.memory_use import (
    allowance_mb,
    family,
    folder_kb,
    out_of_memory_kills,
    used_mb,
)

STATUS = (
    "Name:\tbot\rVmPTE: 999999\nVmPTE:\t 100 kB\nVmSwap:\t 24 kB\nRssAnon:\t 900 kB\n"
    "RssFile:\t 5000 kB\nRssShmem:\t 2048 kB\n"
)
SHARED_OUT = "Rss: 9999 kB\nPss: 9999 kB\nPss_Anon: 412 kB\nSwapPss: 0 kB\nPss_Shmem: 1024 kB\n"


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Return what is read of /proc, by path, which a test may change."""
    texts = {f"/proc/{pid}/status": STATUS for pid in (1, 2)}
    texts |= {f"/proc/{pid}/smaps_rollup": SHARED_OUT for pid in (1, 2)}

    def read(path: str, **_how: object) -> object:
        if path not in texts:
            raise FileNotFoundError(path)
        return _Lines(texts[path])

    monkeypatch.setattr(memory_use, "open", read, raising=False)
    return texts


class _Lines:
    def __init__(self, text: str) -> None:
        self._lines = text.split("\n")

    def __enter__(self) -> list[str]:
        return self._lines

    def __exit__(self, *_how: object) -> None:
        pass


@pytest.mark.parametrize(
    ("given", "allowed"), [(0, 32), (7, 39), (8, 41), (128, 176), (1024, 1184)]
)
def test_an_eighth_more_and_32_mb_are_allowed(given: int, allowed: int) -> None:
    assert allowance_mb(given) == allowed


@pytest.mark.usefixtures("told")
def test_process_uses_its_own_its_tables_and_what_it_maps_of_files_in_memory() -> None:
    assert used_mb([1]) == 3  # 900 + 24 + 100 + 2048 kB
    assert used_mb([1], files_kb=0) == 1
    assert used_mb([1], files_kb=1023) == 1
    assert used_mb([1], files_kb=1024) == 2
    assert used_mb([]) == 0
    assert used_mb([3]) == 0  # it is gone


@pytest.mark.usefixtures("told")
def test_what_processes_share_counts_once_if_they_use_enough() -> None:
    assert used_mb([1, 2], 6.1) == 6  # twice 3072 kB are less
    assert used_mb([1, 2], 6) == 3  # twice 412 + 1024 + 100 kB
    assert used_mb([1, 2]) == 6  # without a bound it does not matter
    assert used_mb([1, 2], 2, 0) == 1  # twice 412 + 100 kB
    assert used_mb([1, 2], 2, 3000) == 3
    assert used_mb(iter([1, 2]), 0) == 3


def test_process_of_which_less_is_told_counts_with_all_it_has(told: dict[str, str]) -> None:
    del told["/proc/2/smaps_rollup"]
    assert used_mb([1, 2], 0) == 4  # 1536 and 3072 kB
    told["/proc/1/smaps_rollup"] = "Rss: 9999 kB\n"
    assert used_mb([1, 2], 0) == 6
    told["/proc/1/status"] = "Name:\tended\n"
    assert used_mb([1, 2], 0) == 3


@pytest.mark.parametrize(
    ("blocks", "size", "free", "kb"),
    [(512, 4096, 512, 0), (512, 4096, 511, 4), (512, 4096, 0, 2048), (513, 4096, 0, 0)],
)
def test_folder_of_its_size_takes_what_is_not_free(
    monkeypatch: pytest.MonkeyPatch, blocks: int, size: int, free: int, kb: int
) -> None:
    found = SimpleNamespace(f_blocks=blocks, f_frsize=size, f_bfree=free)
    monkeypatch.setattr(os, "statvfs", {"/folder": found}.get)
    assert folder_kb("/folder", 2) == kb
    monkeypatch.undo()
    assert folder_kb("/no/such/folder", 2) == 0


def test_family_has_all_generations(monkeypatch: pytest.MonkeyPatch) -> None:
    children = {1: [2, 3], 3: [4], 4: [5]}
    monkeypatch.setattr(memory_use, "children_of", lambda pid: children.get(pid, []))
    assert sorted(family(1)) == [1, 2, 3, 4, 5]
    assert family(5) == [5]


@pytest.mark.parametrize(
    ("text", "kills"),
    [
        ("nr_free 9\noom_kill 7\nx 1\n", 7),
        ("oom_killer 3\n", None),
        ("oom_kill many\n", None),
        (None, None),
    ],
)
def test_kills_for_lack_of_memory_are_counted_by_the_kernel(
    monkeypatch: pytest.MonkeyPatch, text: str | None, kills: int | None
) -> None:
    def read(path: Path, encoding: str) -> str:
        assert (str(path), encoding) == ("/proc/vmstat", "ascii")
        if text is None:
            raise FileNotFoundError
        return text

    monkeypatch.setattr(memory_use.Path, "read_text", read)
    assert out_of_memory_kills() == kills
