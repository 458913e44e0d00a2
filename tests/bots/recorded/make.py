"""Records the games that ``test_recorded`` plays again: ``make.py PYTHON``.

PYTHON is the interpreter of the installation whose shots are to stay. Do so only when a bot was
changed on purpose so that it shoots elsewhere. Games are left out in which processors that sum in
another order lead to other shots.
"""

import os
import subprocess
import sys
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

import msgspec

from arena.rules import PRESETS
from benchmarks.games.shots import Shots
from salvo.bundled import default_field

FILE = Path(__file__).with_name("shots.jsonl")
GAMES = 3
"""Of the first preset, which the default tournament plays; of the others one is enough."""

KERNELS = ("Prescott", "Haswell", "SkylakeX")
"""Kinds of processors for which OpenBLAS has routines, by its own names."""


def played(python: str, kernel: str) -> Sequence[Shots]:
    """Return the shots of the default field, played with the routines for a kind of processor."""
    program = str(files("benchmarks.games") / "shots.py")
    done = subprocess.run(
        [python, "-P", program, str(GAMES), *default_field()],
        env=os.environ | {"OPENBLAS_CORETYPE": kernel, "OPENBLAS_NUM_THREADS": "1"},
        input="\n" * 10_000,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    lines = done.stdout.splitlines()
    return [msgspec.json.decode(line, type=tuple[Shots, float])[0] for line in lines]


def main() -> None:
    """Write the games that are the same with the routines of every kind."""
    games, *others = (played(sys.argv[1], kernel) for kernel in KERNELS)
    kept = [
        game
        for game in games
        if all(game in other for other in others)
        and (game.seed == 1 or game.rules == next(iter(PRESETS)))
    ]
    sys.stderr.write(f"{len(games)} games played, {len(kept)} kept\n")
    FILE.write_bytes(b"".join(msgspec.json.encode(game) + b"\n" for game in kept))


if __name__ == "__main__":
    main()
