"""The filter of system calls, run by an interpreter of its own: no call is made."""

import ctypes
import os
import struct

import pytest

from arena.isolation import seccomp
from arena.isolation.seccomp import Filter, supported

ALLOW, EPERM, ENOSYS = 0x7FFF0000, 0x00050001, 0x00050026
AUDIT = {"x86_64": 0xC0000000 | 62, "aarch64": 0xC0000000 | 183}  # of 64 bits, the lowest first
KILL, CLONE = {"x86_64": 62, "aarch64": 129}, {"x86_64": 56, "aarch64": 220}
THREAD, NEW_USER = 0x3D0F00, 0x10000000

machines = pytest.mark.parametrize("machine", list(AUDIT))


def judge(code: bytes, machine: str, number: int, *arguments: int) -> int:
    """Return what the filter says of a call."""
    given = (*arguments, *[0] * (6 - len(arguments)))
    data = struct.pack("=IIQ6Q", number, AUDIT[machine], 0, *given)
    value, place = 0, 0
    while True:
        kind, yes, no, constant = struct.unpack_from("=HBBI", code, 8 * place)
        place += 1
        assert kind in {0x15, 0x35, 0x45} or yes == no == 0  # only these jump
        match kind:
            case 0x20:
                (value,) = struct.unpack_from("=I", data, constant)
            case 0x54:
                value &= constant
            case 0x15:
                place += yes if value == constant else no
            case 0x35:
                place += yes if value >= constant else no
            case 0x45:
                place += yes if value & constant else no
            case 0x06:
                return int(constant)
            case _:
                raise AssertionError(hex(kind))


def lite(machine: str) -> bytes:
    return bytes(Filter(processes=False, others=False, machine=machine))


def sandbox(machine: str, *, processes: bool = False, drop: bool = False) -> bytes:
    return bytes(Filter(processes=processes, others=True, drop=drop, machine=machine))


@machines
def test_computing_is_allowed(machine: str) -> None:
    names = {"x86_64": (0, 1, 9, 202, 257, 59), "aarch64": (63, 64, 222, 98, 56, 221)}
    for number in names[machine]:
        assert judge(lite(machine), machine, number) == ALLOW


@machines
def test_what_no_bot_needs_is_refused(machine: str) -> None:
    refused = {
        # ptrace, socket, connect, shmget, flock, chmod, mount, bpf, keyctl, setsid, unshare
        "x86_64": (101, 41, 42, 29, 73, 90, 165, 321, 250, 112, 272),
        "aarch64": (117, 198, 203, 194, 32, 53, 40, 280, 219, 157, 97),
    }
    for number in refused[machine]:
        assert judge(sandbox(machine, processes=True), machine, number) == EPERM


def near(known: set[int]) -> set[int]:
    """Return some numbers with those beside them."""
    return {one + by for one in known for by in (-1, 0, 1) if one + by >= 0}


@machines
def test_files_and_terminals_are_asked_about_but_not_taken_or_written_to(machine: str) -> None:
    fcntl, ioctl = {"x86_64": (72, 16), "aarch64": (25, 29)}[machine]
    allowed = {
        fcntl: {0, 1, 2, 3, 4, 1030, 1032},  # F_DUPFD to F_SETFL, F_DUPFD_CLOEXEC, F_GETPIPE_SZ
        # TCGETS, TIOCGPGRP, TIOCGWINSZ, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX, TCGETS2
        ioctl: {0x5401, 0x540F, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451, 0x802C542A},
    }
    for call, known in allowed.items():
        for one in near(known):
            judged = judge(sandbox(machine), machine, call, 0, one)
            assert judged == (ALLOW if one in known else EPERM), (call, hex(one))


@machines
def test_calls_that_came_later_are_said_to_be_missing(machine: str) -> None:
    for number in (424, 425, 434, 435, 437, 1000, 0x40000000):
        assert judge(lite(machine), machine, number) == ENOSYS
    assert judge(lite(machine), machine, 423) == EPERM


@machines
def test_calls_of_another_machine_are_refused(machine: str) -> None:
    other = next(name for name in AUDIT if name != machine)
    assert judge(lite(machine), other, 0) == EPERM


@machines
def test_threads_are_allowed_and_processes_only_on_demand(machine: str) -> None:
    clone = CLONE[machine]
    for code in (lite(machine), sandbox(machine), sandbox(machine, processes=True)):
        assert judge(code, machine, clone, THREAD) == ALLOW
        assert judge(code, machine, clone, 17 | NEW_USER) == EPERM
        assert judge(code, machine, clone, 17 | 0x8000) == EPERM
    assert judge(lite(machine), machine, clone, 17) == EPERM
    assert judge(sandbox(machine), machine, clone, 17) == EPERM
    assert judge(sandbox(machine, processes=True), machine, clone, 17) == ALLOW


def test_older_calls_that_start_processes_are_allowed_on_demand_too() -> None:
    for number in (57, 58):  # fork and vfork, which aarch64 has not
        assert judge(lite("x86_64"), "x86_64", number) == EPERM
        assert judge(sandbox("x86_64"), "x86_64", number) == EPERM
        assert judge(sandbox("x86_64", processes=True), "x86_64", number) == ALLOW


@machines
def test_no_namespace_is_made_with_a_thread_either(machine: str) -> None:
    code = sandbox(machine, processes=True)
    for new in (0x20000, 0x2000000, 0x4000000, 0x8000000, NEW_USER, 0x20000000, 0x40000000):
        assert judge(code, machine, CLONE[machine], THREAD | new) == EPERM


@machines
def test_signals_go_to_others_only_where_there_are_none(machine: str) -> None:
    assert judge(lite(machine), machine, KILL[machine], 4321, 15) == EPERM
    assert judge(sandbox(machine), machine, KILL[machine], 4321, 15) == ALLOW


@machines
def test_other_processes_are_asked_about_only_where_there_are_none(machine: str) -> None:
    getpgid, getpriority, affinity, clock = {
        "x86_64": (121, 140, 204, 228),
        "aarch64": (155, 141, 123, 113),
    }[machine]
    own_clock, of_thread, other_clock = (of & 0xFFFFFFFF for of in (-6, -2, ~4321 << 3 | 2))
    for number, arguments, judged in (
        (getpgid, (0,), ALLOW),
        (getpgid, (4321,), EPERM),
        (getpriority, (0, 0), ALLOW),
        (getpriority, (0, 4321), EPERM),
        (affinity, (0,), ALLOW),
        (affinity, (4321,), ENOSYS),
        (clock, (1,), ALLOW),
        (clock, (own_clock,), ALLOW),
        (clock, (of_thread,), ALLOW),
        (clock, (own_clock - 1,), EPERM),
        (clock, (other_clock,), EPERM),
    ):
        assert judge(lite(machine), machine, number, *arguments) == judged
        assert judge(sandbox(machine), machine, number, *arguments) == ALLOW


@machines
def test_no_bot_can_seem_to_be_killed_from_outside(machine: str) -> None:
    itself = 0  # what is patched when the filter is installed
    x86 = machine == "x86_64"
    tgkill, prlimit, setrlimit = (234, 302, 160) if x86 else (131, 261, 164)
    # tkill, rt_sigqueueinfo, rt_tgsigqueueinfo, timer_create, mq_notify, ptrace
    senders = (200, 129, 297, 222, 244, 101) if x86 else (130, 138, 240, 107, 184, 117)
    prctl, fcntl = (157, 72) if x86 else (167, 25)
    for code in (lite(machine), sandbox(machine), sandbox(machine, processes=True)):
        assert judge(code, machine, KILL[machine], itself, 6) == ALLOW
        assert judge(code, machine, tgkill, itself, itself, 6) == ALLOW
        assert judge(code, machine, tgkill, itself, itself, 9) == EPERM
        assert judge(code, machine, prlimit, itself, 7) == ALLOW
        assert judge(code, machine, prlimit, 4321, 7) == EPERM
        assert judge(code, machine, setrlimit, 7) == ALLOW
        for limit_that_kills in (0, 15):
            assert judge(code, machine, prlimit, itself, limit_that_kills) == EPERM
            assert judge(code, machine, setrlimit, limit_that_kills) == EPERM
        for sender in senders:
            assert judge(code, machine, sender, itself, 9, 9) == EPERM
        for setting in (10, 8):  # the signal of a descriptor, and who gets it
            assert judge(code, machine, fcntl, 1, setting) == EPERM
        assert judge(code, machine, prctl, 1, 9) == EPERM  # the signal at the parent's end
        for leave in (60, 231) if x86 else (93, 94):
            assert judge(code, machine, leave, 0) == ALLOW
            assert judge(code, machine, leave, 1) == ALLOW


@machines
def test_only_a_bot_with_processes_kills_some_and_exits_as_if_killed(machine: str) -> None:
    x86 = machine == "x86_64"
    for code, judged in (
        (lite(machine), EPERM),
        (sandbox(machine), EPERM),
        # The arena takes every such end in its box for the bot's own doing.
        (sandbox(machine, processes=True), ALLOW),
    ):
        assert judge(code, machine, KILL[machine], 0, 9) == judged
        for leave in (60, 231) if x86 else (93, 94):
            for code_of_sigkill in (137, 256 + 137, 0xFFFFFF89):
                assert judge(code, machine, leave, code_of_sigkill) == judged


@machines
def test_child_announces_its_end_by_sigchld_or_not_at_all(machine: str) -> None:
    clone, shares_memory, vfork = CLONE[machine], 0x100, 0x4000
    code = sandbox(machine, processes=True)
    for flags in (0, shares_memory | vfork, THREAD):
        for signal in range(256):
            judged = judge(code, machine, clone, flags | signal)
            assert judged == (ALLOW if signal in {0, 17} else EPERM), (flags, signal)
    for code in (lite(machine), sandbox(machine)):
        assert [n for n in range(256) if judge(code, machine, clone, THREAD | n) == ALLOW] == [
            0,
            17,
        ]


@machines
def test_clone3_is_said_to_be_missing_so_that_libraries_fall_back_to_clone(machine: str) -> None:
    for code in (lite(machine), sandbox(machine), sandbox(machine, processes=True)):
        assert judge(code, machine, 435, 0x7F0000000000, 88) == ENOSYS


@machines
def test_pairs_of_sockets_are_streams(machine: str) -> None:
    pair = {"x86_64": 53, "aarch64": 199}[machine]
    assert judge(lite(machine), machine, pair, 1, 1 | 0x80000) == ALLOW
    assert judge(lite(machine), machine, pair, 1, 2) == EPERM
    assert judge(lite(machine), machine, pair, 2, 1) == EPERM


@machines
def test_uid_is_dropped_only_by_the_step_before_a_bot_of_root(machine: str) -> None:
    # setresuid, setresgid, setgroups, capset
    for drop in {"x86_64": (117, 119, 116, 126), "aarch64": (147, 149, 159, 91)}[machine]:
        assert judge(lite(machine), machine, drop, 60_578) == EPERM
        assert judge(sandbox(machine), machine, drop, 60_578) == EPERM
        assert judge(sandbox(machine, drop=True), machine, drop, 60_578) == ALLOW


@machines
def test_what_a_process_may_set_of_itself_is_listed(machine: str) -> None:
    prctl = {"x86_64": 157, "aarch64": 167}[machine]
    # Get what kills it with its parent, and whether it dumps; set and get its name; ask for a
    # capability; give up privileges, and get whether it has; name memory.
    always = {2, 3, 15, 16, 23, 38, 39, 0x53564D41}
    # Get and set what is kept with another uid; drop capabilities, and bits and sets of them.
    to_drop = {7, 8, 24, 27, 28, 47}
    for code, known in (
        (lite(machine), always),
        (sandbox(machine), always),
        (sandbox(machine, drop=True), always | to_drop),
    ):
        tried = near(always | to_drop)
        assert {one for one in tried if judge(code, machine, prctl, one) == ALLOW} == known


@machines
def test_network_is_tcp_of_version_4_with_a_few_options(machine: str) -> None:
    x86 = machine == "x86_64"
    socket, connect, setsockopt = (41, 42, 54) if x86 else (198, 203, 208)
    with_network = bytes(Filter(processes=False, others=True, network=True, machine=machine))
    inet, stream, close_on_exec = 2, 1, 0x80000
    options = {
        1: {2, 7, 8, 9, 13, 20, 21},  # SO_REUSEADDR, _SNDBUF, _RCVBUF, _KEEPALIVE, _LINGER, times
        6: {1, 4, 5, 6, 18},  # TCP_NODELAY, _KEEPIDLE, _KEEPINTVL, _KEEPCNT, _USER_TIMEOUT
    }
    assert judge(with_network, machine, connect) == ALLOW
    for kind in range(16):
        judged = judge(with_network, machine, socket, inet, kind | close_on_exec)
        assert judged == (ALLOW if kind == stream else EPERM)
    for family in (0, 1, 3, 10, 16, 40):
        assert judge(with_network, machine, socket, family, stream) == EPERM
    for level in (*range(20), 424, 1000):
        tried = range(32)
        allowed = {
            n for n in tried if judge(with_network, machine, setsockopt, 0, level, n) == ALLOW
        }
        assert allowed == options.get(level, set())
    for call in (socket, connect, setsockopt):
        assert judge(sandbox(machine), machine, call, inet, stream) == EPERM


def test_filter_is_for_the_process_that_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    installed = []

    def note(*arguments: object) -> None:
        option, mode, program = arguments
        assert (option, mode) == (22, 2)  # PR_SET_SECCOMP, SECCOMP_MODE_FILTER
        assert isinstance(program, bytes)
        count, place = struct.unpack("@HP", program)
        installed.append(ctypes.string_at(place, 8 * count))

    monkeypatch.setattr(seccomp, "prctl", note)
    calls = Filter(processes=False, others=False, machine="x86_64")
    before = bytes(calls)
    calls.install()
    [code] = installed
    assert len(code) == len(before)
    for number in (62, 234, 121, 124):  # kill, tgkill, getpgid, getsid
        assert judge(code, "x86_64", number, os.getpid(), 15) == ALLOW
        assert judge(code, "x86_64", number, os.getpid() + 1, 15) == EPERM
    itself, another = os.getpid(), os.getpid() + 1
    for pid, judged, affinity in (
        (0, ALLOW, ALLOW),
        (itself, ALLOW, ALLOW),
        (another, EPERM, ENOSYS),
    ):
        assert judge(code, "x86_64", 121, pid) == judged  # getpgid
        assert judge(code, "x86_64", 140, 0, pid) == judged  # getpriority
        assert judge(code, "x86_64", 204, pid) == affinity  # sched_getaffinity


@pytest.mark.parametrize(
    ("machine", "pointer_bytes", "why"),
    [
        ("x86_64", 8, None),
        ("aarch64", 8, None),
        ("x86_64", 4, "there is no table of system calls for x86_64, only x86_64, aarch64"),
        ("riscv64", 8, "there is no table of system calls for riscv64, only x86_64, aarch64"),
    ],
)
def test_machines_of_64_bits_have_a_filter_if_there_is_a_table(
    monkeypatch: pytest.MonkeyPatch, machine: str, pointer_bytes: int, why: str | None
) -> None:
    monkeypatch.setattr("platform.machine", lambda: machine)
    monkeypatch.setattr(seccomp.struct, "calcsize", {"P": pointer_bytes}.get)
    assert supported() == why


@machines
def test_memory_that_limits_do_not_count_is_refused(machine: str) -> None:
    mmap = {"x86_64": 9, "aarch64": 222}[machine]
    private, shared, anonymous, stack = 0x02, 0x01, 0x20, 0x0100
    assert judge(lite(machine), machine, mmap, 0, 4096, 3, private | anonymous | 0x4000) == ALLOW
    for code in (lite(machine), sandbox(machine, processes=True)):
        for flags in range(0x200):
            # Shared memory of a file takes none of its own; one flag says shared and validated.
            refused = flags & stack or (flags & shared and flags & anonymous)
            judged = judge(code, machine, mmap, 0, 4096, 3, flags)
            assert judged == (EPERM if refused else ALLOW), hex(flags)


@machines
def test_box_may_restrict_itself_before_the_bot_begins(machine: str) -> None:
    for number in (444, 445, 446):  # of Landlock
        assert judge(sandbox(machine), machine, number) == ALLOW
        assert judge(lite(machine), machine, number) == ENOSYS


@machines
def test_files_are_changed_only_with_a_folder_in_memory(machine: str) -> None:
    unlinkat = {"x86_64": 263, "aarch64": 35}[machine]
    writes = bytes(Filter(processes=False, others=True, writes=True, machine=machine))
    assert judge(sandbox(machine), machine, unlinkat) == EPERM
    assert judge(writes, machine, unlinkat) == ALLOW
    linkat = {"x86_64": 265, "aarch64": 37}[machine]  # which named semaphores need
    assert judge(sandbox(machine), machine, linkat) == EPERM
    assert judge(writes, machine, linkat) == ALLOW


@machines
def test_setting_a_priority_does_nothing_and_seems_to_succeed(machine: str) -> None:
    setscheduler = {"x86_64": 144, "aarch64": 119}[machine]
    for code in (lite(machine), sandbox(machine)):
        assert judge(code, machine, setscheduler, 4321, 3) == 0x00050000
