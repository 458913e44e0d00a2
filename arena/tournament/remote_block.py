"""Packs tournaments for other machines, and plays a block there, as a program of its own.

    python -m arena.tournament.remote_block PARENT FOLDER < job > answer

The program ends, and ends its bots, when the process PARENT ends. FOLDER holds packed bots.
"""

import contextlib
import hashlib
import logging
import secrets
import shutil
import sys
import traceback
from contextlib import closing
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from arena.entrants import PackedBot, pack, private_folder, unpack
from arena.errors import UserError
from arena.executors import LocalWorkers
from arena.executors.dask_task import write_whole
from arena.executors.payload import Answer, Job, LogLine, Payload
from arena.isolation import Choice, Level, Program, choose, die_with_parent, leave_when_told
from arena.records import BlockRecord
from arena.seeds import Seeds
from arena.store import Tournament
from arena.tournament.block_task import BlockTask, Workplace


class _Shared(Struct, frozen=True):
    """The part of a job that all blocks of a tournament have in common."""

    task: BlockTask
    packages: tuple[str, ...]


def payload_of(tournament: Tournament, seeds: Seeds, level: Level) -> Payload:
    """Return a tournament as it is sent to machines, all of which isolate at one level.

    Raises:
        BotError: If a bot cannot be read.
    """
    bots: dict[str, str] = {}
    packed: dict[str, bytes] = {}
    packages: set[str] = set()
    for entrant in tournament.entrants:
        content = msgspec.msgpack.encode(pack(entrant))
        bots[entrant.name] = name = hashlib.sha256(content).hexdigest()
        packed[name] = content
        packages.update(Path(package).name for package in entrant.program.packages)
    task = BlockTask(tournament.rules, tournament.settings, seeds)
    shared = tuple(sorted(packages))
    return Payload(
        program=__name__,
        task=msgspec.msgpack.encode(_Shared(task, shared)),
        level=level.value,
        packages=shared,
        packed=packed,
        bots=bots,
    )


class _Log(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.lines: list[LogLine] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(LogLine(record.name, record.levelno, record.getMessage()))


def main() -> None:
    """Play the block that comes on standard input, and write the answer to standard output."""
    parent, folder = int(sys.argv[1]), Path(sys.argv[2])
    leave_when_told(1)
    if not die_with_parent(parent):
        return
    job = msgspec.msgpack.decode(sys.stdin.buffer.read(), type=Job)
    log = _Log()
    logging.basicConfig(handlers=[log], level=job.log_level)
    answer = _answer(job, folder)
    sys.stdout.buffer.write(msgspec.msgpack.encode(replace(answer, log=tuple(log.lines))))


def _answer(job: Job, folder: Path) -> Answer:
    try:
        return Answer(_play(job, folder))
    except UserError as error:
        return Answer(refusal=str(error))
    except Exception:  # noqa: BLE001 - sent to where the record is, which raises it
        return Answer(trace=traceback.format_exc())


def _play(job: Job, folder: Path) -> BlockRecord:
    shared = msgspec.msgpack.decode(job.task, type=_Shared)
    specs = [find_spec(name) for name in shared.packages]
    packages = tuple(Path(spec.origin).parent for spec in specs if spec and spec.origin)
    isolation = _proved(Level(job.level), folder)
    # Bots play from nothing that one of an earlier block could have changed.
    with private_folder(folder) as own:
        bots = {}
        for name, file in job.bots.items():
            packed = msgspec.msgpack.decode((folder / file).read_bytes(), type=PackedBot)
            bots[name] = _findable(unpack(packed, own / secrets.token_hex(8), packages))
        play = partial(shared.task.play, Workplace(bots, isolation))
        # In a worker of this process: where a bot kills that, this process ends what it leaves.
        with closing(LocalWorkers(1).run(partial(next, iter([job.block]), None), play)) as records:
            return next(records)


def _proved(level: Level, folder: Path) -> Choice:
    """Return a level that was proved on this machine, by this program or by one before it."""
    kept = folder / f"proof-{level.value}"
    with contextlib.suppress(OSError, msgspec.DecodeError):
        return msgspec.json.decode(kept.read_bytes(), type=Choice)
    choice = choose(level.value)
    write_whole(kept, msgspec.json.encode(choice))
    return choice


def _findable(program: Program) -> Program:
    """Return a program whose interpreter is taken from where it is installed on this machine."""
    first, *rest = program.argv
    if shutil.which(first) is not None:
        return program
    found = shutil.which(Path(first).name)
    if found is None:
        raise UserError(
            f"there is no {first!r} here, which a bot is started with; install it on every machine"
        )
    return replace(program, argv=(found, *rest))


if __name__ == "__main__":
    main()
