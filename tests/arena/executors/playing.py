"""A program that plays blocks in workers; run by the tests, since signals are for processes.

    playing.py METHOD WORKERS PLAY FOLDER

It prints the numbers of the blocks as they are finished; METHOD is fork or spawn, PLAY the name of
a function below, FOLDER where these leave their marks.
"""

import logging
import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

from arena.executors import LocalWorkers
from arena.isolation import Level, Program, start
from arena.records import Block, BlockRecord

BLOCKS = [Block(("a", "b"), number, ()) for number in range(6)]


def at_once(folder: Path, block: Block) -> BlockRecord:
    del folder
    logging.getLogger("arena.test").info("plays block %s", block.number)
    return BlockRecord(block, (), "none")


def dying_once(folder: Path, block: Block) -> BlockRecord:
    mark = folder / str(block.number)
    if block.number % 2 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return BlockRecord(block, (), "none")


def with_stubborn_bots(folder: Path, block: Block) -> BlockRecord:
    """Start a bot that heeds neither the end of its input nor SIGTERM, and never end."""
    bot = start(Level(folder.name), Program((sys.executable, __file__, "bot"), "/", ()))
    try:
        (folder / str(bot.pid)).touch()
        time.sleep(60)
    finally:
        bot.kill()
    return at_once(folder, block)


def with_a_bot_of_nobody(folder: Path, block: Block) -> BlockRecord:
    """Start a process that starts another, as a box does, and keep no account of either."""
    write = f"open({str(folder)!r} + f'/{{os.getpid()}}', 'w')"
    code = f"import os, time; os.fork(); {write}; time.sleep(60)"
    subprocess.Popen([sys.executable, "-c", code], start_new_session=True)
    time.sleep(60)
    return at_once(folder, block)


def be_a_bot() -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    time.sleep(60)


def main() -> None:
    method, workers, play, folder = sys.argv[1:]
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s %(message)s")
    records = LocalWorkers(int(workers), method).run(
        partial(next, iter(BLOCKS), None), partial(globals()[play], Path(folder))
    )
    for record in records:
        sys.stdout.write(f"{record.block.number}\n")


if __name__ == "__main__":
    be_a_bot() if sys.argv[1:] == ["bot"] else main()
