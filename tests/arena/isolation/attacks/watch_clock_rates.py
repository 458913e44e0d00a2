"""See in /proc how fast each processor runs, which depends on who else computes."""

from pathlib import Path

from hostile import reached

rates = [line for line in Path("/proc/cpuinfo").read_text().split("\n") if "MHz" in line]
if rates:
    reached(rates[0])
