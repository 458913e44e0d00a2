"""Sends itself the signal by the system calls of an older machine."""

import ctypes
import mmap
import os
import platform

from calls import libc

if platform.machine() == "x86_64":
    pid = os.getpid().to_bytes(4, "little")
    # mov eax, 37 (kill); mov ebx, pid; mov ecx, 9; int 0x80; ret, and rbx as it was
    code = b"\x53\xb8\x25\0\0\0\xbb" + pid + b"\xb9\x09\0\0\0\xcd\x80\x5b\xc3"
    memory = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    memory.write(code)
    ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(memory)))()
    libc.syscall(ctypes.c_long(0x4000003E), ctypes.c_long(os.getpid()), ctypes.c_long(9))
