"""Forbids a bot in its box all of /proc but what it needs of its own entry, and becomes the bot.

    python proc_rules.py RIGHTS PATH... -- COMMAND...

bubblewrap mounts a /proc that shows more of a process than any runtime needs, and when it does, the
bot's entry does not exist yet. So this program, which is the bot's process already, adds rules of
Landlock: of RIGHTS, those to all in the root folder but /proc, and to the PATHs. It is started by
its path and imports next to nothing, since each bot waits for it.
"""

import ctypes
import os
import struct
import sys

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_PATH_BENEATH = 1
_RIGHTS_TO_FILES = 0b111
"""The others concern folders."""
_IGNORED_BY_PYTHON = (13, 25)
"""SIGPIPE and SIGXFSZ; importing ``signal`` takes half as long as starting Python."""

_libc = ctypes.CDLL(None, use_errno=True)


def main() -> None:
    """Restrict this process and execute the command."""
    end = sys.argv.index("--")
    rights, paths, command = int(sys.argv[1]), sys.argv[2:end], sys.argv[end + 1 :]
    rules = _call(_CREATE_RULESET, struct.pack("=Q", rights), 8, 0)
    others = [f"/{name}" for name in os.listdir("/") if name != "proc"]  # noqa: PTH208 - imports little
    for path in (*others, *paths):
        try:
            place = os.open(path, os.O_PATH)
        except FileNotFoundError:
            continue  # a kernel may lack one
        allowed = rights if os.path.isdir(path) else rights & _RIGHTS_TO_FILES  # noqa: PTH112 - the same
        _call(_ADD_RULE, rules, _PATH_BENEATH, struct.pack("=Qi", allowed, place), 0)
        os.close(place)
    _call(_RESTRICT_SELF, rules, 0)
    for number in _IGNORED_BY_PYTHON:
        _libc.signal(number, None)  # as the bot would inherit it
    os.execv(command[0], command)  # noqa: S606


def _call(number: int, *arguments: int | bytes) -> int:
    given = [ctypes.c_long(each) if isinstance(each, int) else each for each in arguments]
    result: int = _libc.syscall(ctypes.c_long(number), *given)
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, f"Landlock: {os.strerror(code)}")
    return result


if __name__ == "__main__":
    main()
