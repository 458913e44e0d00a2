"""Nobody thinks on the opponent's time, at any level."""

import sys
from pathlib import Path

from arena.isolation import Level, Program, start
from arena.player import ProcessTransport, RemotePlayer
from arena.records import Fixture, Settings, Termination
from arena.referee import play_game
from arena.rules import Rules, Ship, view

RULES = Rules(
    name="small", rows=5, columns=5, fleet=(Ship("Cruiser", 3), Ship("Boat", 2)), shots="afloat"
)
SETTINGS = Settings(load_s=5, move_s=1, game_s=20)
SLEPT_S = 0.14
"""How long ``uses_up_its_bank`` takes for a salvo."""


def player(name: str, level: Level) -> RemotePlayer:
    folder = Path(__file__).parent.parent / "faulty_bots"
    program = Program(
        argv=(sys.executable, "-P", str(folder / f"{name}.py")),
        folder=str(folder),
        files=(str(folder),),
        import_folder=str(folder),
    )
    return RemotePlayer(lambda: ProcessTransport(start(level, program)), view(RULES), SETTINGS)


def ran_s(player: RemotePlayer) -> float:
    assert player._transport is not None
    times_s = player._transport.times_s()
    assert times_s is not None
    return times_s[0]


def test_bot_that_thinks_on_is_stopped_while_the_other_thinks(level: Level) -> None:
    restless, slow = player("thinks_on", level), player("uses_up_its_bank", level)
    restless.sit_with([slow])
    slow.sit_with([restless])
    try:
        restless.start()
        before_s = ran_s(restless)
        fixture = Fixture("game", "slow", "restless", 0, (1, 2))
        game = play_game(fixture, RULES, SETTINGS, {"slow": slow, "restless": restless})
        after_s = ran_s(restless)
    finally:
        restless.stop()
        slow.stop()
    assert game.termination is Termination.SUNK
    own_s = sum(step.charge_s for step in game.steps if step.seat == "second")
    others_s = sum(step.charge_s for step in game.steps if step.seat == "first")
    assert others_s > 10 * SLEPT_S
    assert after_s - before_s - own_s < 0.1 * others_s
