"""Assembles and installs a seccomp filter: the system calls that a bot may make.

The filter is an allow-list, so that what a newer kernel adds stays blocked until it is needed. It
allows computing, using open descriptors, opening files (Landlock or the mounts decide which),
running threads and waiting. It blocks every way to other processes, all sockets but connected
pairs, io_uring, keyrings, namespaces, mounts, tracing, shared memory, memory that limits do not
count, file locks, and changes to a file's metadata.

Nor can a bot die by SIGKILL of its own making, since the arena takes that for a kill from outside:
it cannot send the signal, have it sent when a child ends, set a limit of processor time or a timer
that would send it, or exit with the code by which a box reports it. A bot that may start processes
may send it, to end those: no id tells the bot from them, since that of a thread reaches its whole
process, so the arena takes every such end in its box for the bot's own doing.

It is written by hand because the available bindings need libseccomp, which is not everywhere, or
are too young to trust; the kernel's interface is one call and a table of numbers.
"""

import ctypes
import os
import platform
import struct
from collections.abc import Iterable

from arena.isolation.kernel import PR_SET_SECCOMP, prctl

_CALLS = """
    read:0:63 write:1:64 close:3:57 fstat:5:80 lseek:8:62 pread64:17:67 pwrite64:18:68 readv:19:65
    writev:20:66 preadv:295:69 pwritev:296:70 fsync:74:82 fdatasync:75:83 sendfile:40:71 pipe:22:-
    pipe2:293:59 dup:32:23 dup2:33:- dup3:292:24 close_range:436:436

    open:2:- openat:257:56 stat:4:- lstat:6:- newfstatat:262:79 statx:332:291 access:21:-
    faccessat:269:48 faccessat2:439:439 readlink:89:- readlinkat:267:78 getdents:78:-
    getdents64:217:61 getcwd:79:17 chdir:80:49 fchdir:81:50 umask:95:166 statfs:137:43
    fstatfs:138:44

    mprotect:10:226 munmap:11:215 brk:12:214 mremap:25:216 msync:26:227 madvise:28:233
    pkey_mprotect:329:288 pkey_alloc:330:289 pkey_free:331:290 membarrier:324:283
    get_mempolicy:239:236

    poll:7:- ppoll:271:73 select:23:- pselect6:270:72 epoll_create:213:- epoll_create1:291:20
    epoll_ctl:233:21 epoll_wait:232:- epoll_pwait:281:22 epoll_pwait2:441:441 eventfd:284:-
    eventfd2:290:19 signalfd:282:- signalfd4:289:74 timerfd_create:283:85 timerfd_settime:286:86
    timerfd_gettime:287:87

    sendto:44:206 recvfrom:45:207 sendmsg:46:211 recvmsg:47:212 shutdown:48:210 getsockname:51:204
    getpeername:52:205 getsockopt:55:209

    sched_yield:24:124 nanosleep:35:101 gettimeofday:96:169 time:201:- times:100:153
    getitimer:36:102 setitimer:38:103 alarm:37:- pause:34:-

    getpid:39:172 gettid:186:178 getppid:110:173 getuid:102:174 geteuid:107:175 getgid:104:176
    getegid:108:177 getresuid:118:148 getresgid:120:150 getgroups:115:158 getpgrp:111:-
    uname:63:160 sysinfo:99:179 getrlimit:97:163 getrusage:98:165 capget:125:90 getcpu:309:168
    getrandom:318:278 sched_get_priority_max:146:125 sched_get_priority_min:147:126

    rt_sigaction:13:134 rt_sigprocmask:14:135 rt_sigreturn:15:139 rt_sigpending:127:136
    rt_sigtimedwait:128:137 rt_sigsuspend:130:133 sigaltstack:131:132 restart_syscall:219:128
    sched_getparam:143:121 sched_getscheduler:145:120
    arch_prctl:158:- set_tid_address:218:96 set_robust_list:273:99 futex:202:98
    futex_waitv:449:449 rseq:334:293 execve:59:221 wait4:61:260 waitid:247:95
"""
"""Calls that are always allowed, each with its number on x86-64 and on aarch64.

Left out on purpose: fadvise64, mincore and preadv2, which read and change the page cache, a
channel between bots; setpgid and setsid, so that a signal to the group reaches all processes. What
is allowed of other processes' scheduling says that they exist: mono asks so about its own threads.
"""

_OF_PROCESSES = """
    getpgid:121:155 getsid:124:156 get_robust_list:274:100 sched_getattr:315:275
    sched_rr_get_interval:148:127 sched_getaffinity:204:123
"""
"""Calls that ask about the process whose id is their first argument."""

_OF_CLOCKS = "clock_gettime:228:113 clock_getres:229:114 clock_nanosleep:230:115"
"""Calls whose first argument is a clock, which may be that of another process's processor time."""

_TO_WRITE = """
    mkdir:83:- mkdirat:258:34 rmdir:84:- unlink:87:- unlinkat:263:35 rename:82:- renameat:264:38
    renameat2:316:276 truncate:76:45 ftruncate:77:46 fallocate:285:47 chmod:90:- fchmod:91:52
    fchmodat:268:53 utimensat:280:88 link:86:- linkat:265:37
"""
"""Calls that change files, in addition, for a bot with a folder in memory; all else in its box is
mounted read-only. Named semaphores are linked into place."""

_TO_RESTRICT = """
    landlock_create_ruleset:444:444 landlock_add_rule:445:445 landlock_restrict_self:446:446
"""
"""Calls by which a process restricts itself, in addition, for a box: it does so before the bot."""

_TO_CONNECT = "connect:42:203"
"""The call by which a socket connects, in addition, for a bot with the network."""

_OF_SOCKETS = "socket:41:198 setsockopt:54:208"
"""Calls for a bot with the network that depend on their arguments."""

_LIMITED = """
    mmap:9:222 clone:56:220 fork:57:- vfork:58:- kill:62:129 tgkill:234:131 fcntl:72:25 ioctl:16:29
    socketpair:53:199 prctl:157:167 prlimit64:302:261 setrlimit:160:164 clone3:435:435
    getpriority:140:141 openat2:437:437 capset:126:91 setgroups:116:159 setresuid:117:147
    setresgid:119:149 exit:60:93 exit_group:231:94 sched_setscheduler:144:119
"""
"""Calls that are allowed or not depending on their arguments."""

ARCHITECTURES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}
"""By machine: its AUDIT_ARCH constant, and its column in the tables."""

_FCNTL = (0, 1, 2, 3, 4, 1030, 1032)
"""Duplicate, get and set flags, read a pipe's size. No locks, leases, signal owners or seals."""
_IOCTL = (0x5401, 0x5413, 0x540F, 0x541B, 0x5421, 0x5450, 0x5451, 0x802C542A)
"""Ask about a terminal, or how much there is to read; set blocking and close-on-exec."""
_PRCTL = (2, 3, 15, 16, 23, 38, 39, 0x53564D41)
"""Read settings, name threads and memory, give up privileges for good."""
_PRCTL_TO_DROP = (7, 8, 24, 27, 28, 47)
"""What setpriv needs in addition, to drop capabilities; harmless where there are none."""

_OWN_PID = -1
"""A placeholder for the id of the filtered process, until it is known."""
_CLOCKS_OF_PROCESSES = 0x80000000
_OWN_CLOCKS = (-6 & 0xFFFFFFFF, -2 & 0xFFFFFFFF)
"""The CPU clocks of the calling process and thread, by the id 0."""

_THREAD = 0x00010000
_NAMESPACES = 0x7E020000
_SIBLING = 0x00008000  # CLONE_PARENT: the new process would be a child of the arena
_EXIT_SIGNAL, _SIGCHLD = 0xFF, 17  # in clone's flags: the signal sent when the child ends
_SIGKILL, _LIMITS_THAT_KILL = 9, (0, 15)  # RLIMIT_CPU, RLIMIT_RTTIME
_EXIT_CODES, _AS_KILLED = 0xFF, 128 + _SIGKILL
_AF_UNIX, _AF_INET, _SOCK_STREAM, _SOCK_TYPES = 1, 2, 1, 0xF
_SOL_SOCKET, _IPPROTO_TCP = 1, 6
_SOCKET_OPTIONS = (2, 7, 8, 9, 13, 20, 21)
"""Reuse an address, buffers' sizes (which the kernel bounds), keep alive, linger, time-outs."""
_TCP_OPTIONS = (1, 4, 5, 6, 18)
"""Do not delay; when to ask whether the other end is alive, and when to give up."""
_SHARED, _ANONYMOUS, _GROWS_DOWN = 0x01, 0x20, 0x0100
"""In mmap's flags: memory that limits do not count, shared without a file, or as a stack."""

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _MASK, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x54, 0x06
_ALLOW, _EPERM, _ENOSYS, _PRETEND = 0x7FFF0000, 0x00050001, 0x00050026, 0x00050000
"""Allow the call, or have it return an error, or success though it did nothing."""
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16
_NEWER_CALLS = 424  # same numbers on every architecture; libraries fall back without them
_SECCOMP_MODE_FILTER = 2

_Code = list[tuple[int, int, int, int]]


def supported() -> str | None:
    """Return why there is no filter for this machine, or None if there is one."""
    machine = platform.machine()
    if machine not in ARCHITECTURES or struct.calcsize("P") != 8:  # noqa: PLR2004 - bytes
        return f"there is no table of system calls for {machine}, only {', '.join(ARCHITECTURES)}"
    return None


class Filter:
    """A seccomp filter in the kernel's binary form.

    Args:
        processes: Whether new processes may be started, and killed, or only threads; for a box.
        others: Whether other processes may be signalled and inspected; for a box, which contains
            only the bot's own.
        drop: Whether uid and capabilities may be dropped, as is done just before the bot starts.
        writes: Whether files may be changed, where a mount allows it.
        network: Whether TCP connections may be made, in a network namespace of its own.
        machine: The architecture; this machine's by default.
    """

    def __init__(  # noqa: PLR0913 - one for each way in which filters differ
        self,
        *,
        processes: bool,
        others: bool,
        drop: bool = False,
        writes: bool = False,
        network: bool = False,
        machine: str | None = None,
    ) -> None:
        audit, column = ARCHITECTURES[machine or platform.machine()]
        code: _Code = [
            (_LOAD, 0, 0, _ARCHITECTURE),
            (_EQUAL, 1, 0, audit),
            (_RETURN, 0, 0, _EPERM),
            (_LOAD, 0, 0, _NUMBER),
        ]
        more = (_TO_WRITE if writes else "") + (_TO_RESTRICT if others else "")
        more += _TO_CONNECT if network else ""
        always = _numbers(_CALLS + more, column)
        limited = _numbers(_LIMITED + _OF_PROCESSES + _OF_CLOCKS, column)
        limited |= _numbers(_OF_SOCKETS, column) if network else {}
        for number in always.values():
            code += [(_EQUAL, 0, 1, number), (_RETURN, 0, 0, _ALLOW)]
        bodies = _bodies(processes=processes, others=others, drop=drop)
        for name, number in limited.items():
            code += [(_EQUAL, 0, len(bodies[name]), number), *bodies[name]]
        code += [(_AT_LEAST, 0, 1, _NEWER_CALLS), (_RETURN, 0, 0, _ENOSYS), (_RETURN, 0, 0, _EPERM)]
        self._own_pid = [8 * place + 4 for place, line in enumerate(code) if line[3] == _OWN_PID]
        self._code = bytearray().join(struct.pack("=HBBI", *t, max(k, 0)) for *t, k in code)

    def __bytes__(self) -> bytes:
        """Return the filter in the form that bubblewrap reads."""
        return bytes(self._code)

    def install(self) -> None:
        """Apply the filter to the calling process for good; it can then signal only itself.

        Raises:
            OSError: If the kernel refuses.
        """
        for place in self._own_pid:
            struct.pack_into("=I", self._code, place, os.getpid())
        buffer = (ctypes.c_char * len(self._code)).from_buffer(self._code)
        program = struct.pack("@HP", len(self._code) // 8, ctypes.addressof(buffer))
        prctl(PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, program)


def _numbers(table: str, column: int) -> dict[str, int]:
    entries = (entry.split(":") for entry in table.split())
    return {name: int(numbers[column]) for name, *numbers in entries if numbers[column] != "-"}


def _bodies(*, processes: bool, others: bool, drop: bool) -> dict[str, _Code]:
    """Return the code that decides about each limited call; each body ends the filter."""
    allow, deny = [(_RETURN, 0, 0, _ALLOW)], [(_RETURN, 0, 0, _EPERM)]
    absent = [(_RETURN, 0, 0, _ENOSYS)]
    fork, setting = allow if processes else deny, allow if drop else deny
    to_self = allow if others else _one_of(0, [_OWN_PID])
    of_self = allow if others else _one_of(0, [0, _OWN_PID])
    clocks = [*_one_of(0, _OWN_CLOCKS)[:-1], (_ANY_BIT, 0, 1, _CLOCKS_OF_PROCESSES), *deny, *allow]
    clone = [
        (_LOAD, 0, 0, _ARGUMENTS),
        (_ANY_BIT, 4, 0, _NAMESPACES | _SIBLING),
        (_ANY_BIT, 0, 0 if processes else 3, _THREAD),
        (_MASK, 0, 0, _EXIT_SIGNAL),
        (_EQUAL, 2, 0, 0),
        (_EQUAL, 1, 0, _SIGCHLD),
        *deny,
        *allow,
    ]
    mmap = [
        (_LOAD, 0, 0, _ARGUMENTS + 8 * 3),
        (_ANY_BIT, 3, 0, _GROWS_DOWN),
        (_ANY_BIT, 0, 1, _SHARED),
        (_ANY_BIT, 1, 0, _ANONYMOUS),
        *allow,
        *deny,
    ]
    leave = [
        (_LOAD, 0, 0, _ARGUMENTS),
        (_MASK, 0, 0, _EXIT_CODES),
        (_EQUAL, 0, 1, _AS_KILLED),
        *deny,
        *allow,
    ]
    return {
        **dict.fromkeys(_numbers(_OF_PROCESSES, 0), of_self),
        # Threads ask about themselves by thread id, which the filter cannot check; libraries cope
        # if the call seems not to exist.
        "sched_getaffinity": allow if others else [*of_self[:-1], *absent],
        **dict.fromkeys(_numbers(_OF_CLOCKS, 0), allow if others else clocks),
        "getpriority": allow if others else _one_of(1, [0, _OWN_PID]),
        "mmap": mmap,
        "clone": clone,
        "fork": fork,
        "vfork": fork,
        "kill": allow if processes else [*_if_one_of(1, [_SIGKILL], _EPERM), *to_self],
        "tgkill": [*_if_one_of(2, [_SIGKILL], _EPERM), *to_self],
        "fcntl": _one_of(1, _FCNTL),
        "ioctl": _one_of(1, _IOCTL),
        # Only stream pairs: a datagram socket can send to any other by name.
        "socketpair": _streams(_AF_UNIX),
        "socket": _streams(_AF_INET),
        "setsockopt": [
            (_LOAD, 0, 0, _ARGUMENTS + 8),
            (_EQUAL, 0, 2 + 2 * len(_SOCKET_OPTIONS), _SOL_SOCKET),
            *_one_of(2, _SOCKET_OPTIONS),
            (_EQUAL, 0, 2 + 2 * len(_TCP_OPTIONS), _IPPROTO_TCP),
            *_one_of(2, _TCP_OPTIONS),
            *deny,
        ],
        "prctl": _one_of(0, (*_PRCTL, *(_PRCTL_TO_DROP if drop else ()))),
        "prlimit64": [*_if_one_of(1, _LIMITS_THAT_KILL, _EPERM), *_one_of(0, [0])],
        "setrlimit": [*_if_one_of(0, _LIMITS_THAT_KILL, _EPERM), *allow],
        # Their arguments are in memory, which a filter cannot read; libraries fall back.
        "clone3": absent,
        "openat2": absent,
        "capset": setting,
        "setgroups": setting,
        "setresuid": setting,
        "setresgid": setting,
        "exit": allow if processes else leave,
        "exit_group": allow if processes else leave,
        # mono sets its threads' priority to what it is, and complains on stdout if it cannot.
        "sched_setscheduler": [(_RETURN, 0, 0, _PRETEND)],
    }


def _streams(family: int) -> _Code:
    return [
        (_LOAD, 0, 0, _ARGUMENTS),
        (_EQUAL, 0, 4, family),
        (_LOAD, 0, 0, _ARGUMENTS + 8),
        (_MASK, 0, 0, _SOCK_TYPES),
        (_EQUAL, 0, 1, _SOCK_STREAM),
        (_RETURN, 0, 0, _ALLOW),
        (_RETURN, 0, 0, _EPERM),
    ]


def _one_of(argument: int, values: Iterable[int]) -> _Code:
    return [*_if_one_of(argument, values, _ALLOW), (_RETURN, 0, 0, _EPERM)]


def _if_one_of(argument: int, values: Iterable[int], action: int) -> _Code:
    code: _Code = [(_LOAD, 0, 0, _ARGUMENTS + 8 * argument)]
    for value in values:
        code += [(_EQUAL, 0, 1, value), (_RETURN, 0, 0, action)]
    return code
