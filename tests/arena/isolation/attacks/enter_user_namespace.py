"""Become root in a user namespace of its own."""

from hostile import call, reached

call(272, 97, 0x10000000)
reached("root of a namespace")
