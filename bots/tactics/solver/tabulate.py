"""Makes the table of the games solved beforehand, or some rows of it.

``python -m bots.tactics.solver.tabulate ramesh-5`` solves one preset; without a name it solves all.
Each takes seconds, except ``ramesh-2``, which has millions of sets of layouts.
"""

import sys
from collections.abc import Iterable

from arena.rules import preset, view
from bots.tactics.solver.policy import solve
from bots.tactics.solver.small_game import Work, game_of
from bots.tactics.solver.solved_game import TABLE, name_of
from bots.tactics.tables import rows_of, write_rows

NAMES = ("row-5-3", "row-10-3", "square-5-3", *(f"ramesh-{number}" for number in range(1, 6)))
"""The presets in the table."""


def tabulate(names: Iterable[str]) -> None:
    """Solve some presets, and write their rows again; the others stay."""
    rows = {tuple(row[:-2]): row[-2:] for row in rows_of(TABLE)}
    for name in names:
        game = game_of(view(preset(name)))
        assert game is not None
        work = Work()
        policy = solve(game, work)
        salvos = " ".join("+".join(map(str, salvo)) for salvo in policy.salvos.values())
        rows[tuple(name_of(game))] = [str(policy.turns), salvos]
        sys.stdout.write(f"{name}: {policy.mean_turns:.4f} turns, {work.done:,} sets of layouts\n")
        write_rows(TABLE, [[*game_name, *row] for game_name, row in rows.items()])


if __name__ == "__main__":
    tabulate(sys.argv[1:] or NAMES)
