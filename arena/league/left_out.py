"""Pairings whose games do not count in the ratings of a league, in its ``left-out.json``."""

from collections.abc import Collection
from pathlib import Path

import msgspec

from arena.errors import UserError
from arena.league.register import locked

FILE = "left-out.json"

Pairing = frozenset[str]
"""The names of two bots."""


def read_left_out(folder: Path) -> frozenset[Pairing]:
    """Return the pairings of a league that its operator left out; all versions are meant.

    Raises:
        UserError: If they cannot be read.
    """
    path = folder / FILE
    try:
        found = msgspec.json.decode(path.read_bytes(), type=list[tuple[str, str]])
    except FileNotFoundError:
        return frozenset()
    except (OSError, msgspec.DecodeError) as error:
        raise UserError(f"league file {path}: {error}; put back a copy of it") from error
    return frozenset(map(frozenset, found))


def change_left_out(
    folder: Path, names: Collection[str], bots: tuple[str, str], *, out: bool
) -> str:
    """Leave the games of two bots out, or let them count again.

    Returns in words what was done. Others who would change it at the same time wait.

    Raises:
        UserError: If either was never entered, they are one, or nothing would change.
    """
    bot, opponent = bots
    for name in bots:
        if name not in names:
            raise UserError(f"no bot of this league is called {name!a}")
    if bot == opponent:
        raise UserError(f"'{bot}' does not meet itself; name two bots")
    with locked(folder):
        before, pairing = read_left_out(folder), frozenset(bots)
        if (pairing in before) == out:
            state = "are left out already" if out else "count already"
            raise UserError(f"games between '{bot}' and '{opponent}' {state}")
        draft = folder / f"{FILE}.new"
        draft.write_bytes(msgspec.json.encode(sorted(map(sorted, before ^ {pairing}))) + b"\n")
        draft.replace(folder / FILE)
    done = "are left out of the ratings" if out else "count again"
    return f"games between {bot} and {opponent} {done}"
