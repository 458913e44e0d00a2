"""Has a child whose end is announced by SIGKILL."""

import ctypes
import os
import platform

from honest import play, third

CLONE = 220 if platform.machine() == "aarch64" else 56
CLONE_VFORK, SIGKILL = 0x4000, 9


def end(_: object) -> None:
    call = ctypes.CDLL(None, use_errno=True).syscall
    match call(ctypes.c_long(CLONE), ctypes.c_long(CLONE_VFORK | SIGKILL), *[ctypes.c_long(0)] * 4):
        case 0:
            os._exit(0)
        case -1:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


play(shoot=third(end))
