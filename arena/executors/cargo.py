"""What blocks need to be played on another machine, and what comes back."""

import hashlib

import msgspec
from msgspec import Struct

from arena.executors.errand import Errand, software
from arena.records import Block, BlockRecord

INLINE_BYTES = 16_384
"""A parcel of this size at most comes with every block; a larger one where it is missing."""


class Job(Struct, frozen=True):
    """What the program that plays a block is told.

    Attributes:
        task: What is the same of all blocks, in that program's own words.
        block: The block.
        level: The level of isolation.
        bots: The name of the file that each of its bots is in, by the bot's name.
        log_level: From which level on log lines are wanted.
    """

    task: bytes
    block: Block
    level: str
    bots: dict[str, str]
    log_level: int


class LogLine(Struct, frozen=True, array_like=True):
    """A line of the log."""

    logger: str
    level: int
    text: str


class Answer(Struct, frozen=True):
    """What the program answers.

    Attributes:
        record: The record of the block; None if it cannot be played there.
        refusal: Why not, in words.
        trace: Where it failed, if that is a bug.
        log: What was logged.
    """

    record: BlockRecord | None = None
    refusal: str = ""
    trace: str = ""
    log: tuple[LogLine, ...] = ()


class Cargo(Struct, frozen=True):
    """A tournament as it travels: content, and no path of this machine.

    Attributes:
        program: The module that plays a block, as the main program of a process.
        task: What it is told of all blocks, in its own words.
        level: The level of isolation.
        packages: The packages that bots may import beside the arena's.
        parcels: The bots, by their hashes.
        bots: The hash of each entrant's parcel, by its name.
    """

    program: str
    task: bytes
    level: str
    packages: tuple[str, ...]
    parcels: dict[str, bytes]
    bots: dict[str, str]

    def errand(self, block: Block, log_level: int, missing: tuple[str, ...] = ()) -> bytes:
        """Return a block as it is sent.

        Args:
            block: The block.
            log_level: From which level on log lines are wanted.
            missing: The parcels that the worker is known to lack.
        """
        bots = {name: self.bots[name] for name in block.entrants}
        names = tuple(dict.fromkeys(bots.values()))
        small = {name for name in names if len(self.parcels[name]) <= INLINE_BYTES}
        job = Job(self.task, block, self.level, bots, log_level)
        errand = Errand(
            program=self.program,
            software=software(self.packages),
            packages=self.packages,
            job=msgspec.msgpack.encode(job),
            parcels=names,
            enclosed={name: self.parcels[name] for name in sorted(small.union(missing))},
        )
        return msgspec.msgpack.encode(errand)


def to_parcel(content: object) -> tuple[str, bytes]:
    """Return the hash of something that travels, and its bytes."""
    encoded = msgspec.msgpack.encode(content)
    return hashlib.sha256(encoded).hexdigest(), encoded
