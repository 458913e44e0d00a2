"""Makes the player that a program is."""

from functools import partial

from arena.isolation import Level, Program, hint, start
from arena.player.masking import masking_of
from arena.player.process_transport import ProcessTransport
from arena.player.remote_player import RemotePlayer
from arena.player.stderr_log import LogFiles
from arena.records import Settings
from arena.rules import RulesView


def program_player(
    program: Program,
    rules: RulesView,
    settings: Settings,
    level: Level,
    logs: LogFiles | None = None,
) -> RemotePlayer:
    """Return the player that a program is at a level of isolation, to be started when needed."""

    def transport() -> ProcessTransport:
        child = start(level, program)
        return ProcessTransport(child, None if logs is None else logs.open(), masking_of(program))

    explain = partial(hint, program=program.original or program, level=level)
    return RemotePlayer(transport, rules, settings, explain, waits=program.waits)
