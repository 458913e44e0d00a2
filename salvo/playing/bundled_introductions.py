"""Asks bundled bots how they introduce themselves, all in one process.

To start each of them for that would take several times as long.
"""

import contextlib
import multiprocessing
import sys
from collections.abc import Mapping, Sequence
from multiprocessing.connection import Connection

from arena.isolation import held_back
from arena.player import InProcessPlayer
from arena.protocol import Introduction
from arena.records import Settings
from arena.rules import Rules, view
from arena.tournament import introduce
from salvo.bundled import bot_class


def introduce_bundled(names: Sequence[str], rules: Rules) -> Mapping[str, Introduction]:
    """Return how bundled bots without options introduce themselves.

    One that cannot is left out: whoever starts it learns why. The process of their own keeps what
    they import out of this one, which is still to fork.
    """
    linux = sys.platform == "linux"
    context = multiprocessing.get_context("fork") if linux else multiprocessing.get_context("spawn")
    answer, theirs = context.Pipe(duplex=False)
    # A signal is for this process: the other one inherits that all are held back, and soon ends.
    with held_back():
        process = context.Process(target=_introduce, args=(theirs, names, rules), daemon=True)
        process.start()
    theirs.close()
    try:
        introductions: Mapping[str, Introduction] = answer.recv()
    except EOFError:
        return {}
    finally:
        process.join()
        answer.close()
    return introductions


def _introduce(answer: Connection, names: Sequence[str], rules: Rules) -> None:
    introductions = {}
    for name in names:
        with contextlib.suppress(Exception, SystemExit):
            player = InProcessPlayer(bot_class(name), view(rules), Settings())
            introductions[name] = introduce(player)
    answer.send(introductions)
