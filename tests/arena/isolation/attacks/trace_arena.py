"""Seize the arena with ptrace."""

from hostile import call, reached, targets

call(101, 117, 0x4206, targets["arena_pid"], 0, 0)
reached("traced")
