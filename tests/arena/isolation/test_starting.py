"""The command, limits and environment of a bot at each level."""

import os
import re
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from arena.isolation import Extra, Level, Program, levels, refused, start
from arena.isolation.child import Origin
from arena.isolation.seccomp import Filter
from arena.isolation.temporary import InMemory

BOT = Program(("/bin/bot", "-x"), "/home/bot", ("/home/bot",), memory_mb=64)


class Slot:
    def __init__(self) -> None:
        self.uid = 60_600
        self.reads_any = False
        self.closed = 0

    def close(self) -> None:
        self.closed += 1


@pytest.fixture
def spawned(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """Return what would be started, each as its command and how."""
    found: list[dict[str, Any]] = []

    def spawn(argv: object, program: Program, **how: Any) -> object:  # noqa: ANN401 - any
        found.append({"argv": argv, "program": program, **how})
        return found[-1]

    monkeypatch.setattr(levels, "_spawn", spawn)
    monkeypatch.setattr(levels, "command", lambda program: program.argv)
    monkeypatch.setattr(levels, "granted", lambda _: ("/granted",))
    monkeypatch.setattr(levels, "listed", lambda _: ("/listed",))
    monkeypatch.setattr(levels, "die_with_arena", lambda: "dies")
    monkeypatch.setattr(levels, "confine", lambda *given: ("confined", *given))
    monkeypatch.setattr(levels, "needs_root", lambda *given, **named: (given, named))
    monkeypatch.setattr(levels, "_call_filter", lambda **how: how)
    monkeypatch.setattr(levels.sys, "platform", "linux")
    return found


@pytest.fixture
def slot(monkeypatch: pytest.MonkeyPatch) -> Slot:
    """Have root start bots."""
    given = Slot()
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(levels, "take_slot", lambda: given)
    return given


def test_none_dies_with_the_arena_where_that_can_be(
    spawned: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    start(Level.NONE, BOT)
    monkeypatch.setattr(levels.sys, "platform", "darwin")
    start(Level.NONE, BOT)
    assert [(one["argv"], one["bind"]) for one in spawned] == [(BOT.argv, "dies"), (BOT.argv, None)]


def test_limits_have_memory_and_root_gives_a_uid(
    spawned: list[dict[str, Any]], slot: Slot, monkeypatch: pytest.MonkeyPatch
) -> None:
    start(Level.LIMITS, BOT)
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    start(Level.LIMITS, BOT)
    expected = [
        {
            "argv": BOT.argv,
            "program": BOT,
            "bind": ("confined", 64, owner),
            "slot": owner,
            "memory_mb": 64,
        }
        for owner in (slot, None)
    ]
    assert spawned == expected
    assert slot.reads_any == ((("/granted",),), {"folders_too": True})
    assert slot.closed == 0


def test_lite_has_rules_and_a_filter_that_starts_no_processes(
    spawned: list[dict[str, Any]], slot: Slot, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed: list[object] = []
    rules = SimpleNamespace(close=lambda: closed.append("rules"))
    asked: list[object] = []
    monkeypatch.setattr(levels, "Ruleset", lambda *given: asked.append(given) or rules)
    start(Level.LITE, BOT)
    devices = ("/dev/null", "/dev/random", "/dev/urandom")
    assert asked == [(("/granted",), ("/listed",), devices)]
    calls = {"processes": False, "others": False}
    assert spawned[0]["bind"] == ("confined", 64, slot, rules, calls)
    assert spawned[0]["memory_mb"] == 64
    assert slot.reads_any == ((("/granted",),), {"folders_too": True})
    assert closed == ["rules"]


def test_uid_is_free_again_if_nothing_starts(
    spawned: list[dict[str, Any]], slot: Slot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_given: object) -> None:
        raise FileNotFoundError

    monkeypatch.setattr(levels, "command", fail)
    with pytest.raises(FileNotFoundError):
        start(Level.LIMITS, BOT)
    assert spawned == []
    assert slot.closed == 1


@pytest.mark.parametrize(
    ("settings", "extras"),
    [
        ({}, [Extra.PROC, Extra.RULES]),
        ({"proc": False}, []),
        ({"processes": True}, [Extra.PROC, Extra.SHARED]),
        ({"processes": True, "proc": False}, [Extra.SHARED]),
        ({"temporary_mb": 1}, [Extra.PROC, Extra.RULES, Extra.TEMPORARY]),
        ({"network": ("localhost:1",), "proc": False}, [Extra.NETWORK]),
    ],
)
def test_box_has_the_extras_that_a_bot_needs_and_the_machine_gives(
    monkeypatch: pytest.MonkeyPatch, settings: dict[str, Any], extras: list[Extra]
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr(levels, "_start_with_extras", lambda *given: given)
    monkeypatch.setattr(levels, "refused", {}.get)
    bot = Program(BOT.argv, "/", (), **settings)
    assert start(Level.SANDBOX, bot) == (bot, None, extras)
    missing = dict.fromkeys((Extra.PROC, Extra.RULES, Extra.SHARED), "no")
    monkeypatch.setattr(levels, "refused", missing.get)
    given = [one for one in extras if one not in missing]
    assert start(Level.SANDBOX, bot) == (bot, None, given)
    monkeypatch.setattr(levels, "refused", {Extra.RULES: "no"}.get)
    given = [one for one in extras if one is not Extra.RULES]
    assert start(Level.SANDBOX, bot) == (bot, None, given)


@pytest.fixture
def boxed(spawned: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    def wrap(program: Program, slot: object, descriptor: int, **how: Any) -> object:  # noqa: ANN401 - any
        assert os.lseek(descriptor, 0, os.SEEK_CUR) == 0
        return {"program": program, "slot": slot, "filter": os.read(descriptor, 999), **how}

    class Calls(dict[str, Any]):
        def __bytes__(self) -> bytes:
            return repr(dict(self)).encode()

    monkeypatch.setattr(levels, "wrap", wrap)
    monkeypatch.setattr(levels, "_call_filter", lambda **how: Calls(how))
    monkeypatch.setattr(levels, "proc_texts", lambda mb: {"/proc/meminfo": b"%d MB" % mb})
    monkeypatch.setattr(levels, "die_with_arena", lambda: lambda: done.append("dies"))
    done: list[object] = []
    monkeypatch.setattr(levels, "mounting", lambda *given: lambda: done.append(given))
    monkeypatch.setattr(
        levels,
        "folders_in_memory",
        lambda sizes, _paths: [InMemory(path, "/mnt", mb) for path, mb in sizes.items()],
    )
    return spawned


def test_box_is_given_what_its_extras_need(boxed: list[dict[str, Any]]) -> None:
    slot: Any = Slot()
    bot = Program(("x",), "/", (), memory_mb=64, temporary_mb=3, processes=True)
    levels._start_with_extras(bot, slot, [Extra.SHARED, Extra.TEMPORARY, Extra.PROC, Extra.RULES])
    levels._start_with_extras(bot, None, [])
    full, bare = boxed
    folders = [InMemory("/dev/shm", "/mnt", 64), InMemory("/tmp", "/mnt", 3)]  # noqa: S108 - in a box
    assert full["argv"]["in_memory"] == folders
    assert full["argv"]["rules"]
    assert list(full["argv"]["proc"]) == ["/proc/meminfo"]
    assert full["box"][1:] == list(full["argv"]["proc"].values())
    assert full["shares"]
    assert (full["memory_mb"], full["slot"], full["outlet"]) == (64, slot, None)
    boxs = {"processes": True, "others": True}
    drops = {**boxs, "drop": True, "writes": True, "network": False}
    keeps = {**boxs, "drop": False, "writes": False, "network": False}
    assert [one["argv"]["filter"] for one in boxed] == [repr(drops).encode(), repr(keeps).encode()]
    assert [bare["argv"][name] for name in ("in_memory", "proc", "rules")] == [[], {}, False]
    assert not bare["shares"]
    assert len(bare["box"]) == 1


@pytest.mark.parametrize("root", [True, False])
@pytest.mark.parametrize("extra", list(Extra))
def test_extra_is_tried_by_a_box_that_does_nothing(
    monkeypatch: pytest.MonkeyPatch, extra: Extra, *, root: bool
) -> None:
    slot = Slot()
    monkeypatch.setattr(os, "geteuid", lambda: 0 if root else 1000)
    monkeypatch.setattr(levels, "take_slot", lambda: slot)

    def refuse(program: Program, owner: object, extras: list[Extra]) -> None:
        assert program.argv == ("true",)
        assert program.temporary_mb == (1 if extra is Extra.TEMPORARY else 0)
        assert program.network == (("localhost:443",) if extra is Extra.NETWORK else ())
        assert owner is (slot if root else None)
        assert extras == ([Extra.PROC, extra] if extra is Extra.RULES else [extra])
        raise OSError("it is refused")

    monkeypatch.setattr(levels, "_start_with_extras", refuse)
    assert refused.__wrapped__(extra) == "it is refused"
    assert slot.closed == root


@pytest.mark.parametrize(
    ("status", "written", "why"),
    [
        ("exited with code 0", b"a warning\n", None),
        ("exited with code 1", b"bwrap: first\nbwrap: last\n", "bwrap: last"),
        ("exited with code 1", b"", "exited with code 1"),
        (None, b"", "it did not start"),
        (None, None, "it did not start"),
    ],
)
def test_extra_is_refused_with_the_last_line_of_the_box(
    monkeypatch: pytest.MonkeyPatch, status: str | None, written: bytes | None, why: str | None
) -> None:
    reader, writer = os.pipe()
    if written:
        os.write(writer, written)
    if written is not None:
        os.close(writer)
    done: list[object] = []
    child = SimpleNamespace(
        wait=done.append, status=lambda: status, stderr=reader, kill=lambda: done.append("killed")
    )
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr(levels, "_start_with_extras", lambda *_: child)
    assert refused.__wrapped__(Extra.PROC) == why
    assert done == [10.0, "killed"]
    for descriptor in (reader,) if written is not None else (reader, writer):
        os.close(descriptor)


@pytest.fixture
def popen(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., dict[str, Any]]]:
    """Return what spawns, without a process, and returns how."""

    def spawn(**how: Any) -> dict[str, Any]:  # noqa: ANN401 - any
        found: dict[str, Any] = {}

        def begin(argv: object, **given: object) -> None:
            found.update(given, argv=argv)

        monkeypatch.setattr(subprocess, "Popen", begin)
        monkeypatch.setattr(levels, "Child", lambda _process, *given: given)
        found["child"] = levels._spawn(("x",), BOT, **how)
        return found

    for name in ("end_abandoned", "adopt_orphans"):
        monkeypatch.setattr(levels, name, lambda: None)
    monkeypatch.setattr(levels, "environment", lambda _: {"A": "1"})
    monkeypatch.setattr(levels, "out_of_memory_kills", lambda: 5)
    return spawn


def test_process_begins_in_a_session_of_its_own_with_pipes(
    popen: Callable[..., dict[str, Any]],
) -> None:
    found = popen(slot="slot", memory_mb=9, shares=True)
    origin, outlet = found["child"]
    assert origin == Origin(origin.mark, "slot", False, 5, 9, False, True)  # noqa: FBT003 - in order
    assert outlet is None
    pipe = subprocess.PIPE
    assert (found["stdin"], found["stdout"], found["stderr"]) == (pipe, pipe, pipe)
    assert (found["bufsize"], found["start_new_session"]) == (0, True)
    assert (found["cwd"], found["pass_fds"], found["preexec_fn"]) == ("/home/bot", (), None)
    assert found["env"] == {"A": "1", "SALVO_BOX": origin.mark}


def test_file_that_is_no_program_is_named_as_its_author_knows_it(tmp_path: Path) -> None:
    for name in ("bot", "copy"):
        (tmp_path / name).write_text("no program")
    own, copied = str(tmp_path / "bot"), str(tmp_path / "copy")
    bot = Program((own,), str(tmp_path), (own,))
    copy = replace(bot, argv=(copied,), files=(copied,), original=bot)
    with pytest.raises(PermissionError, match=re.escape(own)):
        start(Level.NONE, copy)


def test_box_begins_outside_the_folder_of_the_bot_and_finds_the_proxy(
    popen: Callable[..., dict[str, Any]],
) -> None:
    found = popen(box=[7, 8], outlet="outlet")
    origin, outlet = found["child"]
    assert origin.boxed
    assert outlet == "outlet"
    assert (found["cwd"], found["pass_fds"]) == ("/", [7, 8])
    proxy = dict.fromkeys(("HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"))
    assert found["env"] == {
        "A": "1",
        "SALVO_BOX": origin.mark,
        **dict.fromkeys(proxy, "http://127.0.0.1:3128"),
    }


@pytest.mark.parametrize("more", [{}, {"drop": True}, {"writes": True}, {"network": True}], ids=str)
def test_filter_allows_what_it_is_told_and_no_more(
    monkeypatch: pytest.MonkeyPatch, more: dict[str, bool]
) -> None:
    monkeypatch.setattr("platform.machine", lambda: "x86_64")
    given = {"drop": False, "writes": False, "network": False} | more
    levels._call_filter.cache_clear()
    made = levels._call_filter(processes=False, others=True, **more)
    assert bytes(made) == bytes(Filter(processes=False, others=True, **given))
    monkeypatch.setattr(levels, "supported", lambda: "there is no table")
    levels._call_filter.cache_clear()
    with pytest.raises(OSError, match=r"^there is no table$"):
        levels._call_filter(processes=False, others=True)
