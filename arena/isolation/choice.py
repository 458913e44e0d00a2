"""Chooses the level that bots run at: the requested one if it holds, or the strongest that does."""

import json

from msgspec import Struct

from arena.errors import UserError
from arena.isolation.levels import Level
from arena.isolation.proof import Promise, prove

AUTO = "auto"


class Choice(Struct, frozen=True):
    """A level and how it was chosen.

    Attributes:
        steps_down: For each stronger level, one line that says why it is not available.
    """

    level: Level
    promises: tuple[Promise, ...]
    steps_down: tuple[str, ...] = ()

    def to_json(self) -> str:
        """Return the level and its promises as JSON, as stored with every block."""
        promises = {promise.name: promise.held for promise in self.promises}
        return json.dumps({"level": self.level.value, "promises": promises})


def choose(request: str) -> Choice:
    """Return the level for a request: a level's name, or ``auto`` for the strongest that holds.

    Raises:
        UserError: If the named level does not hold here; the message says why and how to fix it.
    """
    if request != AUTO:
        level = Level(request)
        broken = _broken(level)
        if broken is not None and level is not Level.NONE:
            raise UserError(
                f"isolation '{level}' does not hold here: {_reason(level, broken)}; fix: "
                f"{broken.fix}; see `salvo doctor`"
            )
        return Choice(level, prove(level))
    steps: list[str] = []
    for level in reversed(Level):
        broken = _broken(level)
        if broken is None or level is Level.NONE:
            return Choice(level, prove(level), tuple(steps))
        steps.append(f"no '{level}' here: {_reason(level, broken)}; fix: {broken.fix}")
    raise AssertionError("the weakest level is always available")


def _broken(level: Level) -> Promise | None:
    return next((promise for promise in prove(level) if not promise.held), None)


def _reason(level: Level, broken: Promise) -> str:
    if all(promise.detail == broken.detail for promise in prove(level)):
        return broken.detail  # the probe could not run at all
    return f"promise '{broken.name}': {broken.detail}"
