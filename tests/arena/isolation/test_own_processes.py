"""A bot gains no time by processes of its own, which make it wait and are gone before each look."""

import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from arena.isolation import Child, Level, Program
from arena.player import Fault, ProcessTransport
from arena.player.meter import exchange
from arena.records import Termination

BUDGET_S = 0.5
PATIENCE_S = 25.0
SPINS = f"""
import os, signal, sys, time

BUDGET_S, UNSEEN_S, CHILDREN = {BUDGET_S}, 0.04, 6

def waited():
    return int(open("/proc/self/schedstat").read().split()[1]) / 1e9

def spin(until):
    while time.monotonic() < until:
        pass

def child(until):
    if WHOSE == "ADOPTED" and os.fork():
        os._exit(0)
    spin(until)
    os._exit(0)

print("ready", flush=True)
input()
begun, before = time.monotonic(), waited()
look = begun + BUDGET_S
if WHOSE == "REAPED":
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
while time.monotonic() < begun + 3 * BUDGET_S:
    for _ in range(CHILDREN):
        if not os.fork():
            child(look - UNSEEN_S)
    spin(look - UNSEEN_S)
    for _ in range(0 if WHOSE == "REAPED" else CHILDREN):
        os.wait()
    time.sleep(max(0, look + UNSEEN_S / 4 - time.monotonic()))
    # What the arena charges by now decides when it looks again.
    look += BUDGET_S - (look - begun - (waited() - before))
print("answer", flush=True)
"""
"""Thinks three times as long as it may: it waits for its children and they for it. They are awaited
by the bot, reaped by the kernel, or adopted by whoever adopts orphans."""

Make = Callable[..., Program]
Start = Callable[[Level, Program], Child]

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="waits are told by Linux alone")


@pytest.fixture
def one_processor() -> Iterator[None]:
    """Have this process and its bots share one processor."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    yield
    os.sched_setaffinity(0, before)


@pytest.mark.usefixtures("one_processor")
@pytest.mark.skipif(not Path("/proc/self/schedstat").exists(), reason="nobody tells who waits")
@pytest.mark.parametrize("level", [Level.LIMITS, Level.SANDBOX], indirect=True)
@pytest.mark.parametrize("children", ["AWAITED", "REAPED", "ADOPTED"])
def test_children_that_spin_and_end_before_each_look_buy_no_time(
    level: Level, started: Start, program: Make, children: str
) -> None:
    code = f'WHOSE = "{children}"{SPINS}'
    transport = ProcessTransport(started(level, program(code, processes=True)))
    try:
        assert transport.receive(time.monotonic() + PATIENCE_S) == b"ready\n"
        with pytest.raises(Fault) as caught:
            exchange(transport, b"\n", BUDGET_S, lambda: None)
    finally:
        transport.close(grace_s=0)
    assert caught.value.termination is Termination.TIMEOUT
    assert type(caught.value) is Fault  # a game that is void would be played again
