"""Makes players of bots, and starts bots for their introductions."""

from collections.abc import Generator, Sequence

from arena.bot import Bot
from arena.isolation import Level, Program
from arena.player import Fault, InProcessPlayer, LogFiles, RemotePlayer, program_player
from arena.protocol import Introduction
from arena.records import Settings
from arena.rules import Rules, view


def connect(
    bot: Program | type[Bot],
    rules: Rules,
    settings: Settings,
    isolation: Level,
    logs: LogFiles | None = None,
) -> RemotePlayer | InProcessPlayer:
    """Return the player that a bot is; it is started when it is first needed."""
    if isinstance(bot, type):
        return InProcessPlayer(bot, view(rules), settings)
    return program_player(bot, view(rules), settings, isolation, logs)


def introduce(player: RemotePlayer | InProcessPlayer) -> Introduction:
    """Start a player for its introduction alone.

    Raises:
        arena.player.Fault: If it gives none.
    """
    try:
        player.start()
    finally:
        player.stop()
    assert player.introduction is not None
    return player.introduction


def introduce_all(
    players: Sequence[RemotePlayer | InProcessPlayer], at_once: int
) -> Generator[Introduction | Fault, None, None]:
    """Start players for their introductions alone, so many at once, and yield them in order."""
    try:
        for place, player in enumerate(players):
            for one in players[place : place + at_once]:
                if isinstance(one, RemotePlayer):
                    one.launch()
            try:
                outcome: Introduction | Fault = introduce(player)
            except Fault as fault:
                outcome = fault
            yield outcome
    finally:
        for player in players:
            player.stop()
