"""Plays a block between bots of one machine, each in a fresh process."""

import json
from collections.abc import Mapping
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from msgspec import Struct

from arena.bot import Bot
from arena.checksums import with_checksum
from arena.executors import Play
from arena.isolation import Choice, Level, Program
from arena.origin import Introduced, origin_of
from arena.player import LogFiles, RemotePlayer
from arena.records import Block, BlockRecord, Fixture, Settings
from arena.referee import Observer, play_block
from arena.rules import Rules
from arena.seeds import Seeds
from arena.tournament.introductions import connect


class Workplace(Struct, frozen=True):
    """The bots, isolation and logs of the machine on which blocks are played.

    Attributes:
        bots: By the names of the entrants: how to start each, or for a bot that plays in this
            process its class.
    """

    bots: Mapping[str, Program | type[Bot]]
    isolation: Choice
    logs: Path | None = None

    def log_files(self, block: Block, name: str) -> LogFiles | None:
        """Return the files for what a bot writes to stderr in a block."""
        if self.logs is None:
            return None
        return LogFiles(self.logs / "+".join(block.entrants), f"{block.number}-{name}")


class BlockTask(Struct, frozen=True):
    """The rules, times and seeds of all blocks of a tournament; no path of any machine."""

    rules: Rules
    settings: Settings
    seeds: Seeds  # the seeds of games that have to be played again

    def play(
        self, workplace: Workplace, block: Block, *, observer: Observer | None = None
    ) -> BlockRecord:
        """Play a block with fresh processes."""
        isolation = workplace.isolation
        players = {
            name: connect(
                workplace.bots[name],
                self.rules,
                self.settings,
                isolation.level,
                workplace.log_files(block, name),
            )
            for name in block.entrants
        }
        remote = [player for player in players.values() if isinstance(player, RemotePlayer)]
        with ExitStack() as ending:
            for player in remote:
                player.sit_with([rival for rival in remote if rival is not player])
                ending.callback(player.stop)
                player.launch()
            games, voids = play_block(
                block, self.rules, self.settings, players, self._redraw, observer=observer
            )
        here = [name for name in block.entrants if isinstance(workplace.bots[name], type)]
        # Others are isolated as ever, but a bot in this process can do what the arena can.
        none = json.dumps({"level": Level.NONE.value, "promises": {}, "in_process": here})
        introductions = {name: player.introduction for name, player in players.items()}
        introduced = {
            name: Introduced(one.name, one.author, one.version)
            for name, one in introductions.items()
            if one is not None
        }
        level = none if here else isolation.to_json()
        return with_checksum(BlockRecord(block, games, level, voids, origin_of(introduced)))

    def _redraw(self, fixture: Fixture, attempt: int) -> tuple[int, int]:
        return self.seeds.of_game(fixture.first, fixture.second, fixture.pair, attempt)


def play_here(  # noqa: PLR0913 - what every block shares, and what only this machine knows
    rules: Rules,
    settings: Settings,
    seeds: Seeds,
    bots: Mapping[str, Program | type[Bot]],
    isolation: Choice,
    *,
    logs: Path | None = None,
    observer: Observer | None = None,
) -> Play:
    """Return what plays blocks between some bots on this machine; see ``Workplace``.

    An observer is told of the games as they are played, in the process that plays them.
    """
    workplace = Workplace(bots, isolation, logs)
    return partial(BlockTask(rules, settings, seeds).play, workplace, observer=observer)
