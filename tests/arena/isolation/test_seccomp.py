"""The filter of system calls, run by an interpreter of its own: no call is made."""

import struct

import pytest

from arena.isolation.seccomp import ARCHITECTURES, Filter

ALLOW, EPERM, ENOSYS = 0x7FFF0000, 0x00050001, 0x00050026
KILL, CLONE, FORK = {"x86_64": 62, "aarch64": 129}, {"x86_64": 56, "aarch64": 220}, 57
THREAD, NEW_USER = 0x3D0F00, 0x10000000

machines = pytest.mark.parametrize("machine", list(ARCHITECTURES))


def judge(code: bytes, machine: str, number: int, *arguments: int) -> int:
    """Return what the filter says of a call."""
    given = (*arguments, *[0] * (6 - len(arguments)))
    data = struct.pack("=IIQ6Q", number, ARCHITECTURES[machine][0], 0, *given)
    value, place = 0, 0
    while True:
        kind, yes, no, constant = struct.unpack_from("=HBBI", code, 8 * place)
        place += 1
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


@machines
def test_files_and_terminals_are_asked_about_but_not_taken_or_written_to(machine: str) -> None:
    fcntl, ioctl = {"x86_64": (72, 16), "aarch64": (25, 29)}[machine]
    allowed = {
        fcntl: (0, 1, 2, 3, 4, 1030, 1032),  # F_DUPFD to F_SETFL, F_DUPFD_CLOEXEC, F_GETPIPE_SZ
        # TCGETS, TIOCGPGRP, TIOCGWINSZ, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX, TCGETS2
        ioctl: (0x5401, 0x540F, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451, 0x802C542A),
    }
    for call, known in allowed.items():
        for one in {near + by for near in known for by in (0, 1)}:
            judged = judge(sandbox(machine), machine, call, 0, one)
            assert judged == (ALLOW if one in known else EPERM), (call, hex(one))


@machines
def test_calls_that_came_later_are_said_to_be_missing(machine: str) -> None:
    for number in (425, 434, 435, 437, 1000, 0x40000000):
        assert judge(lite(machine), machine, number) == ENOSYS


@machines
def test_calls_of_another_machine_are_refused(machine: str) -> None:
    other = next(name for name in ARCHITECTURES if name != machine)
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
    own_clock, other_clock = -6 & 0xFFFFFFFF, ~4321 << 3 & 0xFFFFFFFF | 2
    for number, arguments, judged in (
        (getpgid, (0,), ALLOW),
        (getpgid, (4321,), EPERM),
        (getpriority, (0, 0), ALLOW),
        (getpriority, (0, 4321), EPERM),
        (affinity, (0,), ALLOW),
        (affinity, (4321,), ENOSYS),
        (clock, (1,), ALLOW),
        (clock, (own_clock,), ALLOW),
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
    drop = {"x86_64": 117, "aarch64": 147}[machine]
    assert judge(sandbox(machine), machine, drop, 60_578) == EPERM
    assert judge(sandbox(machine, drop=True), machine, drop, 60_578) == ALLOW


@machines
def test_memory_that_limits_do_not_count_is_refused(machine: str) -> None:
    mmap = {"x86_64": 9, "aarch64": 222}[machine]
    private, shared, anonymous, stack, reserved = 0x02, 0x01, 0x20, 0x0100, 0x4000
    for flags, judged in (
        (private | anonymous, ALLOW),
        (private | anonymous | reserved, ALLOW),
        (shared, ALLOW),  # of a file, which takes no memory of its own
        (shared | anonymous, EPERM),
        (0x03 | anonymous, EPERM),  # MAP_SHARED_VALIDATE
        (private | anonymous | stack, EPERM),
    ):
        assert judge(lite(machine), machine, mmap, 0, 4096, 3, flags) == judged, hex(flags)
        assert judge(sandbox(machine), machine, mmap, 0, 4096, 3, flags) == judged, hex(flags)


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
