"""Which level bots run at: the one that was asked for, if it holds, or the strongest that does."""

import json

from msgspec import Struct

from arena.errors import UserError
from arena.isolation.levels import Level
from arena.isolation.proof import Promise, prove

__all__ = ["AUTO", "Choice", "choose"]

AUTO = "auto"


class Choice(Struct, frozen=True):
    """A level and how it was arrived at.

    Attributes:
        level: The level.
        promises: What each of its promises came to.
        steps_down: For each stronger level, one line that says why it is not to be had.
    """

    level: Level
    promises: tuple[Promise, ...]
    steps_down: tuple[str, ...] = ()

    def to_json(self) -> str:
        """Return the level and its promises in the form that is stored with every block."""
        promises = {promise.name: promise.held for promise in self.promises}
        return json.dumps({"level": self.level.value, "promises": promises})


def choose(request: str) -> Choice:
    """Return the level that a request asks for: its name, or ``auto`` for the strongest.

    Raises:
        UserError: If the level that was named does not hold here; it says why, and the mend.
    """
    if request != AUTO:
        level = Level(request)
        broken = _broken(level)
        if broken is not None and level is not Level.NONE:
            raise UserError(
                f"isolation '{level}' does not hold here: {_reason(level, broken)}; mend: "
                f"{broken.mend}; "
                f"`salvo doctor` tells more"
            )
        return Choice(level, prove(level))
    steps: list[str] = []
    for level in reversed(Level):
        broken = _broken(level)
        if broken is None or level is Level.NONE:
            return Choice(level, prove(level), tuple(steps))
        steps.append(f"no '{level}' here: {_reason(level, broken)}; mend: {broken.mend}")
    raise AssertionError("the weakest level is always to be had")


def _broken(level: Level) -> Promise | None:
    return next((promise for promise in prove(level) if not promise.held), None)


def _reason(level: Level, broken: Promise) -> str:
    if all(promise.detail == broken.detail for promise in prove(level)):
        return broken.detail  # nothing could be tried, so it is of no promise
    return f"promise '{broken.name}': {broken.detail}"
