"""Seize the opponent with ptrace."""

from hostile import call, reached, targets

call(101, 117, 0x4206, targets["opponent_pid"], 0, 0)
reached("traced")
