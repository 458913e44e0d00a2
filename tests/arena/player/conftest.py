"""A transport that follows a script, and a clock that moves when the script says so."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from types import SimpleNamespace

import pytest

from arena.player import Fault, RemotePlayer
from arena.protocol import (
    PROTOCOL_VERSION,
    FromBot,
    Hello,
    Introduction,
    ToBot,
    decode_to_bot,
    encode,
)
from arena.records import Settings, Termination
from arena.rules import preset, view

Answer = FromBot | bytes | Fault | Callable[[ToBot], FromBot | bytes] | None


@dataclass
class Step:
    """What the arena should say next, and what then happens.

    Attributes:
        kind: The type of the message.
        answer: The answer, or what makes it of the message; None for silence.
        after_s: How long the answer takes by the clock on the wall.
        running: The part of that time in which the bot ran, summed over its threads.
        waiting: The part of that time in which it waited for a processor, likewise.
        asleep_s: How much too late the arena wakes up.
        leap_s: A wait from before, which appears all at once once the bot was looked at.
    """

    kind: type[ToBot]
    answer: Answer = None
    after_s: float = 0.0
    running: float = 0.0
    waiting: float = 0.0
    asleep_s: float = 0.0
    leap_s: float = 0.0
    held_s: float = 0.0


@dataclass
class ScriptedTransport:
    """Expects the lines of its script, in order, and answers as it says.

    Attributes:
        log: What was done with it: the types of the messages, and "resume", "pause", "close".
    """

    script: deque[Step] = field(default_factory=deque)
    log: list[str] = field(default_factory=list)
    heard: list[ToBot] = field(default_factory=list)
    now_s: float = 1000.0
    times: tuple[float, float] | None = (0.5, 0.25)
    is_alone: bool = True
    grace_s: float | None = None

    def expect(self, kind: type[ToBot], answer: Answer = None, **how: float) -> None:
        """Add a step to the script."""
        self.script.append(Step(kind, answer, **how))

    def monotonic(self) -> float:
        """Return the time of the script."""
        return self.now_s

    def _pass(self, seconds: float) -> None:
        self.now_s += seconds
        if self.times is not None:
            ran, waited = self.times
            step = self._step
            leap_s = step.leap_s if self._passed_s else 0.0
            waited += seconds * step.waiting + leap_s
            self.times = (ran + seconds * step.running, waited)
            step.leap_s -= leap_s
            if self._passed_s < step.held_s <= self._passed_s + seconds:
                self.times = (self.times[0], waited + step.held_s)
        self._passed_s += seconds

    def send(self, line: bytes, deadline: float) -> None:
        """Take a line, which must be the one that the script expects."""
        del deadline
        assert line.endswith(b"\n")
        message = decode_to_bot(line)
        self.log.append(type(message).__name__)
        assert self.script, f"the script has ended, the arena says {message}"
        self._step = self.script.popleft()
        assert isinstance(message, self._step.kind), message
        self.heard.append(message)
        answer = self._step.answer
        self._left_s = self._step.after_s
        self._passed_s = 0.0
        if isinstance(answer, Fault) and not self._left_s:
            raise answer
        self._answer = answer(message) if callable(answer) else answer

    def receive(self, deadline: float) -> bytes | None:
        """Let time pass until the answer or the deadline, whichever is first."""
        left_s = deadline - self.now_s
        if self._answer is None or self._left_s > left_s:
            self._pass(max(0.0, left_s))
            self._left_s -= left_s
            return None
        self._pass(self._left_s)
        if isinstance(self._answer, Fault):
            raise self._answer
        self.now_s += self._step.asleep_s
        return self._answer if isinstance(self._answer, bytes) else encode(self._answer)

    def pause(self) -> None:
        """Note it."""
        self.log.append("pause")

    def resume(self) -> None:
        """Note it."""
        self.log.append("resume")

    def times_s(self) -> tuple[float, float] | None:
        """Return how long the bot of the script ran and waited."""
        return self.times

    def alone(self) -> bool:
        """Tell what the script says."""
        return self.is_alone

    def runnable(self) -> bool:
        """Tell whether the bot of the script is held up, or runs for part of the time."""
        return self._passed_s < self._step.held_s or self._step.running > 0

    def stderr(self) -> str:
        """Return nothing."""
        return ""

    def close(self, *, grace_s: float) -> None:
        """Note it."""
        self.grace_s = grace_s
        self.log.append("close")


SETTINGS = Settings(load_s=5, move_s=1, game_s=10)


@pytest.fixture
def transport(monkeypatch: pytest.MonkeyPatch) -> ScriptedTransport:
    transport = ScriptedTransport()
    clock = SimpleNamespace(monotonic=transport.monotonic)
    monkeypatch.setattr("arena.player.meter.time", clock)
    monkeypatch.setattr("arena.player.remote.time", clock)
    return transport


@pytest.fixture
def player(transport: ScriptedTransport) -> RemotePlayer:
    """Return a bot that has not been started."""
    return RemotePlayer(lambda: transport, view(preset("salvo")), SETTINGS)


@pytest.fixture
def started(transport: ScriptedTransport, player: RemotePlayer) -> RemotePlayer:
    """Return a bot that has introduced itself."""
    transport.expect(Hello, Introduction(protocol=PROTOCOL_VERSION, name="scripted"))
    player.start()
    transport.log.clear()
    transport.heard.clear()
    return player


@pytest.fixture
def fault_of() -> Callable[[Callable[[], object]], tuple[Termination, str]]:
    """Return what does something that is a fault, and returns its termination and reason."""

    def catch(act: Callable[[], object]) -> tuple[Termination, str]:
        with pytest.raises(Fault) as caught:
            act()
        return caught.value.termination, caught.value.reason

    return catch
