"""Packs blocks to be played on another machine, and defines what comes back."""

import msgspec
from msgspec import Struct

from arena.executors.dask_task import Task, software
from arena.records import Block, BlockRecord

INLINE_BYTES = 16_384
"""A packed bot of this size at most comes with every block; a larger one where it is missing."""


class Job(Struct, frozen=True):
    """The input of the program that plays a block."""

    task: bytes  # what all blocks have in common, in that program's own encoding
    block: Block
    level: str
    bots: dict[str, str]  # the name of the file that each of its bots is in, by the bot's name
    log_level: int


class LogLine(Struct, frozen=True, array_like=True):
    """A line of the log."""

    logger: str
    level: int
    text: str


class Answer(Struct, frozen=True):
    """The output of the program that plays a block."""

    record: BlockRecord | None = None  # the record of the block; None if it cannot be played there
    refusal: str = ""  # why not, in words
    trace: str = ""  # the traceback of the failure, if that is a bug
    log: tuple[LogLine, ...] = ()


class Payload(Struct, frozen=True):
    """A tournament as it is sent to other machines: content, and no path of this one."""

    program: str  # the module that plays a block, as the main program of a process
    task: bytes  # what all blocks have in common, in that program's own encoding
    level: str
    packages: tuple[str, ...]
    packed: dict[str, bytes]
    bots: dict[str, str]  # the hash of each entrant's packed bot, by its name

    def to_task(self, block: Block, log_level: int, missing: tuple[str, ...] = ()) -> bytes:
        """Return a block as it is sent, with those packed bots that the worker is known to lack."""
        bots = {name: self.bots[name] for name in block.entrants}
        hashes = tuple(dict.fromkeys(bots.values()))
        small = {name for name in hashes if len(self.packed[name]) <= INLINE_BYTES}
        job = Job(self.task, block, self.level, bots, log_level)
        task = Task(
            program=self.program,
            software=software(self.packages),
            packages=self.packages,
            job=msgspec.msgpack.encode(job),
            hashes=hashes,
            enclosed={name: self.packed[name] for name in sorted(small.union(missing))},
        )
        return msgspec.msgpack.encode(task)
