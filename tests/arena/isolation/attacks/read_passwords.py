"""Read the password hashes of the system."""

from pathlib import Path

from hostile import reached

if Path("/etc/shadow").read_bytes():
    reached("read")
