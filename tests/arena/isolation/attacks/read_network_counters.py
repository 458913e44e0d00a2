"""Read how much the machine sends and receives, by its own entry in /proc."""

from pathlib import Path

from hostile import reached

lines = Path("/proc/self/net/dev").read_text().split("\n")[2:]
busy = [line for line in lines if any(int(number) for number in line.split()[1:])]
if busy:
    reached(busy[0])
