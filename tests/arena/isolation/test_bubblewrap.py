"""The command line of bubblewrap, word by word."""

import sys
from pathlib import Path

import pytest

from arena.isolation import Program, bubblewrap
from arena.isolation.bubblewrap import proc_texts, wrap
from arena.isolation.landlock import OF_ITSELF
from arena.isolation.temporary import InMemory

NEEDED = [
    *("/usr/bin/bwrap", "--unshare-ipc", "--unshare-pid", "--unshare-net"),
    *("--unshare-uts", "--hostname", "box", "--unshare-cgroup-try"),
    *("--die-with-parent", "--cap-drop", "ALL"),
]
LIMITS = ["--data=7:8", "--stack=9:unlimited"]
OF_THE_ARENA = [f"/proc/self/{name}" for name in OF_ITSELF]


class Slot:
    def __init__(self) -> None:
        self.uid = 60_600
        self.reads_any = False


@pytest.fixture(autouse=True)
def _machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have all machines be the same."""
    monkeypatch.setattr(bubblewrap.shutil, "which", lambda name, **_: f"/usr/bin/{name}")
    monkeypatch.setattr(bubblewrap, "granted", lambda _: ("/usr", "/home/bot"))
    monkeypatch.setattr(bubblewrap, "listed", lambda _: ("/home/listed/deep",))
    monkeypatch.setattr(bubblewrap, "command", lambda program: program.argv)
    monkeypatch.setattr(bubblewrap, "needs_root", lambda _paths, folders_too: folders_too)
    monkeypatch.setattr(bubblewrap, "memory_limits", lambda _: {"data": (7, 8), "stack": (9, -1)})
    monkeypatch.setattr(
        bubblewrap, "_of_the_machine", lambda: (["/proc/meminfo", "/proc/x"], ["/proc/fs"])
    )
    monkeypatch.setattr(bubblewrap, "abi", lambda: 2)
    bubblewrap._mounts.cache_clear()


MOUNTS = [
    *("--dir", "/dev", "--dir", "/home", "--dir", "/home/listed", "--dir", "/home/listed/deep"),
    *("--ro-bind", "/usr", "/usr", "--ro-bind", "/home/bot", "/home/bot"),
    *("--dev-bind", "/dev/null", "/dev/null", "--dev-bind", "/dev/random", "/dev/random"),
    *("--dev-bind", "/dev/urandom", "/dev/urandom"),
]
INSIDE = ["--chdir", "/home/bot", "--remount-ro", "/", "--seccomp", "5", "--"]
PROGRAM = Program(("/usr/bin/node", "bot.js"), "/home/bot", (), memory_mb=100)


def test_box_of_a_user_has_namespaces_mounts_a_filter_and_limits() -> None:
    told = wrap(PROGRAM, None, 5, proc={}, rules=False, in_memory=[], outlet=())
    limits = ["/usr/bin/prlimit", "--core=0", "--fsize=0", "--nofile=256", *LIMITS, "--nproc=128"]
    begins = [*limits, "--", "/usr/bin/node", "bot.js"]
    assert told == [*NEEDED, "--unshare-user", *MOUNTS, *INSIDE, *begins]


@pytest.mark.parametrize(
    ("reads_any", "kept", "dropped"),
    [
        (False, [], ["--bounding-set=-all", "--inh-caps=-all"]),
        (
            True,
            ["--cap-add", "CAP_DAC_READ_SEARCH"],
            [
                "--bounding-set=-all,+dac_read_search",
                "--inh-caps=-all,+dac_read_search",
                "--ambient-caps=-all,+dac_read_search",
            ],
        ),
    ],
)
def test_box_of_root_drops_to_the_uid_of_the_bot(
    monkeypatch: pytest.MonkeyPatch, kept: list[str], dropped: list[str], *, reads_any: bool
) -> None:
    def needs(paths: tuple[str, ...], *, folders_too: bool) -> bool:
        assert (paths, folders_too) == (("/usr", "/home/bot"), False)
        return reads_any

    monkeypatch.setattr(bubblewrap, "needs_root", needs)
    slot = Slot()
    told = wrap(PROGRAM, slot, 5, proc={}, rules=False, in_memory=[], outlet=())  # type: ignore[arg-type]
    to_drop = [*("--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID", "--cap-add", "CAP_SETPCAP")]
    before = [*NEEDED, *to_drop, *kept, *MOUNTS, *INSIDE]
    drop = ["/usr/bin/setpriv", "--reuid=60600", "--regid=60600", "--clear-groups", *dropped]
    assert told[: len(before) + len(drop)] == [*before, *drop]
    assert slot.reads_any is reads_any


@pytest.mark.parametrize(
    ("temporary_mb", "processes", "largest", "tasks"),
    [
        (0, False, 0, 128),
        (3, False, 3 << 20, 128),
        (3, True, 100 << 20, 32),
        (200, True, 200 << 20, 32),
    ],
)
def test_largest_file_is_what_a_folder_in_memory_holds(
    temporary_mb: int, largest: int, tasks: int, *, processes: bool
) -> None:
    program = Program(
        ("/x",), "/home/bot", (), memory_mb=100, temporary_mb=temporary_mb, processes=processes
    )
    told = wrap(program, None, 5, proc={}, rules=False, in_memory=[], outlet=())
    assert f"--fsize={largest}" in told
    assert f"--nproc={tasks}" in told
    assert ("--new-session" in told) is processes


def test_folders_in_memory_and_the_way_out_come_before_the_mounts() -> None:
    folders = [InMemory("/tmp", "/mnt", 1), InMemory("/dev/shm", "/srv", 2)]  # noqa: S108 - in a box
    told = wrap(PROGRAM, None, 5, proc={}, rules=False, in_memory=folders, outlet=(8, 9))
    bound = ["--bind", "/mnt", "/tmp", "--dir", "/dev", "--bind", "/srv", "/dev/shm"]  # noqa: S108 - the same
    ways = ["--info-fd", "8", "--block-fd", "9"]
    start = [*NEEDED[:4], *ways, *NEEDED[4:], "--unshare-user", *bound, *MOUNTS]
    assert told[: len(start)] == start


@pytest.mark.parametrize(("rules", "masked"), [(True, []), (False, ["/proc/x"])])
def test_proc_is_mounted_with_what_tells_of_the_machine_masked(
    masked: list[str], *, rules: bool
) -> None:
    proc = {"/proc/meminfo": 6, "/proc/cpuinfo": 7}
    told = wrap(PROGRAM, None, 5, proc=proc, rules=rules, in_memory=[], outlet=())
    mounts = [
        *(
            "--proc",
            "/proc",
            *[word for path in masked for word in ("--ro-bind", "/dev/null", path)],
        ),
        *("--tmpfs", "/proc/fs", "--remount-ro", "/proc/fs"),
        *("--tmpfs", "/proc/1", "--remount-ro", "/proc/1"),
        *("--perms", "0444", "--ro-bind-data", "6", "/proc/meminfo"),
        *("--perms", "0444", "--ro-bind-data", "7", "/proc/cpuinfo", "--remount-ro", "/proc"),
    ]
    start = told.index("--proc")
    assert told[start : start + len(mounts) + len(INSIDE)] == [*mounts, *INSIDE]
    script = str(Path(bubblewrap.__file__).with_name("proc_rules.py"))
    changes = [sys.executable, "-I", "-S", script, "8198", *proc, *OF_THE_ARENA, "--"]
    own = [*changes, "/usr/bin/node", "bot.js"] if rules else ["/usr/bin/node", "bot.js"]
    assert told[told.index("--nproc=128") + 2 :] == own


@pytest.mark.parametrize(
    ("version", "rights"), [(1, 0b110), (2, 0b110 | 1 << 13), (3, 0b110 | 1 << 13)]
)
def test_right_to_move_files_is_ruled_where_the_kernel_knows_it(
    monkeypatch: pytest.MonkeyPatch, version: int, rights: int
) -> None:
    monkeypatch.setattr(bubblewrap, "abi", lambda: version)
    assert list(bubblewrap._proc_rules([]))[4] == str(rights)


def test_links_in_the_root_stay_links_and_others_are_what_they_lead_to(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path)
    link = str(tmp_path / "link")
    roots = [name for name in ("/bin", "/lib") if Path(name).is_symlink()]
    told = bubblewrap._mounts((link, *roots), ())
    expected = ["--ro-bind", link, link]
    for name in roots:
        expected += ["--symlink", str(Path(name).readlink()), name]
    start = told.index(expected[0])
    assert told[start : start + len(expected)] == expected
    assert "--dir" in told[:start]


def test_no_folder_is_made_inside_what_is_shown() -> None:
    told = bubblewrap._mounts(("/usr",), ("/usr/share/bot", "/usr"))
    assert told[:2] == ["--dir", "/dev"]
    assert told.count("--dir") == 1


def test_tool_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bubblewrap.shutil, "which", lambda _name, path: path and None)
    with pytest.raises(FileNotFoundError, match=r"^prlimit is not installed$"):
        bubblewrap._tool("prlimit")


def test_memory_of_the_machine_is_said_to_be_the_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bubblewrap, "_cpuinfo", lambda: b"processor")
    own = "".join(f"{name:15}     3072 kB\n" for name in ("MemTotal:", "MemFree:", "MemAvailable:"))
    rest = ("Buffers:", "Cached:", "SwapCached:", "SwapTotal:", "SwapFree:")
    none = "".join(f"{name:15}        0 kB\n" for name in rest)
    texts = {"/proc/meminfo": f"{own}{none}".encode(), "/proc/cpuinfo": b"processor"}
    assert proc_texts(3) == texts
