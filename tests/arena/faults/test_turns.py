"""Nobody thinks on the opponent's time, at any level."""

import sys
import time
from pathlib import Path

from arena.isolation import Level, Program, start
from arena.player import News, ProcessTransport, RemotePlayer, Reply
from arena.records import Fixture, Settings, Termination
from arena.referee import play_game
from arena.rules import Request, Rules, Ship, view

RULES = Rules(
    name="small", rows=5, columns=5, fleet=(Ship("Cruiser", 3), Ship("Boat", 2)), shots="afloat"
)
SETTINGS = Settings(load_s=5, move_s=1, game_s=20)
SLEPT_S = 0.14
"""How long ``uses_up_its_bank`` takes for a salvo."""


class Watched(RemotePlayer):
    """A bot of which it is noted how often it was stopped, and how long it ran nevertheless.

    Attributes:
        ran_s: The processor seconds that it used between a stop and the next question.
        asked_s: How long it took to answer each question.
    """

    stops = 0
    ran_s = 0.0
    asked_s: tuple[float, ...] = ()
    _before_s: float | None = None

    def pause(self) -> None:
        super().pause()
        if self._before_s is None and self._transport is not None:
            self.stops += 1
            self._before_s = self._used_s()

    def ask(self, request: Request, news: News) -> Reply:
        if self._before_s is not None:
            self.ran_s += self._used_s() - self._before_s
            self._before_s = None
        began = time.monotonic()
        reply = super().ask(request, news)
        # What it is charged may be less, on a machine that let it wait.
        self.asked_s += (time.monotonic() - began,)
        return reply

    def _used_s(self) -> float:
        assert self._transport is not None
        times_s = self._transport.times_s()
        assert times_s is not None
        return times_s[0]


def player(name: str, level: Level) -> Watched:
    folder = Path(__file__).parent.parent / "faulty_bots"
    program = Program(
        argv=(sys.executable, "-P", str(folder / f"{name}.py")),
        folder=str(folder),
        files=(str(folder),),
        import_folder=str(folder),
    )
    return Watched(lambda: ProcessTransport(start(level, program)), view(RULES), SETTINGS)


def test_bot_that_thinks_on_is_stopped_while_the_other_thinks(level: Level) -> None:
    restless, slow = player("thinks_on", level), player("uses_up_its_bank", level)
    restless.sit_with([slow])
    slow.sit_with([restless])
    try:
        fixture = Fixture("game", "slow", "restless", 0, (1, 2))
        game = play_game(fixture, RULES, SETTINGS, {"slow": slow, "restless": restless})
    finally:
        restless.stop()
        slow.stop()
    assert game.termination is Termination.SUNK
    _placing_s, *moves_s = slow.asked_s
    assert min(moves_s) > SLEPT_S / 2
    assert restless.stops >= len(moves_s)
    assert restless.ran_s < 0.1 * sum(moves_s)
