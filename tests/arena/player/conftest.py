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
        spans: What it does instead for how long, in turn: "run", "wait" or "sleep", and seconds;
            a wait is reported once it has ended.
        asleep_s: How much too late the arena notices the answer.
        late_s: How much too late the arena wakes up, for each of its first waits.
        blinks_s: How long the arena does not run between a look at the bot's clocks and one at what
            it does.
        leap_s: A wait from before, which appears all at once once the bot was looked at.
    """

    kind: type[ToBot]
    answer: Answer = None
    after_s: float = 0.0
    running: float = 0.0
    waiting: float = 0.0
    spans: tuple[tuple[str, float], ...] = ()
    asleep_s: float = 0.0
    late_s: tuple[float, ...] = ()
    blinks_s: float = 0.0
    leap_s: float = 0.0

    def __post_init__(self) -> None:
        """Have the answer follow the spans."""
        self.after_s += sum(seconds for _, seconds in self.spans)

    def times_s(self, passed_s: float) -> tuple[float, float]:
        """Return how long the bot ran, and waited in waits that have ended, in a time."""
        ran_s, waited_s = passed_s * self.running, passed_s * self.waiting
        for kind, seconds in self.spans:
            if kind == "run":
                ran_s += min(seconds, passed_s)
            elif kind == "wait" and passed_s >= seconds:
                waited_s += seconds
            passed_s = max(0.0, passed_s - seconds)
        return ran_s, waited_s

    def runnable(self, passed_s: float) -> bool:
        """Return whether the bot runs or waits after a time."""
        for kind, seconds in self.spans:
            if passed_s < seconds:
                return kind != "sleep"
            passed_s -= seconds
        return self.running > 0


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
    own_wait_s: float = 0.0
    _seen: tuple[float, float] | None = None
    _looked_at: float = 0.0
    _still_since: float = 0.0

    def expect(self, kind: type[ToBot], answer: Answer = None, **how: object) -> None:
        """Add a step to the script."""
        self.script.append(Step(kind, answer, **how))

    def monotonic(self) -> float:
        """Return the time of the script."""
        return self.now_s

    def _pass(self, seconds: float) -> None:
        self.now_s += seconds
        if self.times is not None:
            before, step = self._step.times_s(self._passed_s), self._step
            after = step.times_s(self._passed_s + seconds)
            leap_s = step.leap_s if self._passed_s else 0.0
            ran, waited = self.times
            self.times = (ran + after[0] - before[0], waited + after[1] - before[1] + leap_s)
            step.leap_s -= leap_s
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
        self._late_s = [*self._step.late_s]
        if isinstance(answer, Fault) and not self._left_s:
            raise answer
        self._answer = answer(message) if callable(answer) else answer

    def receive(self, deadline: float) -> bytes | None:
        """Let time pass until the answer or the deadline, whichever is first."""
        late_s = self._late_s.pop(0) if self._late_s else 0.0
        left_s = max(0.0, deadline - self.now_s) + late_s
        if self._answer is None or self._left_s > left_s:
            self._pass(left_s)
            self._left_s -= left_s
            return None
        late_s = max(self._step.asleep_s, left_s - self._left_s if late_s else 0.0)
        self._pass(self._left_s)
        if isinstance(self._answer, Fault):
            raise self._answer
        self.now_s += late_s
        self.own_wait_s += late_s
        return self._answer if isinstance(self._answer, bytes) else encode(self._answer)

    def pause(self) -> None:
        """Note it."""
        self.log.append("pause")

    def resume(self) -> None:
        """Note it."""
        self.log.append("resume")

    def times_s(self) -> tuple[float, float] | None:
        """Return how long the bot of the script ran and waited."""
        if self.times != self._seen:
            self._seen, self._still_since = self.times, self._looked_at
        self._looked_at = self.now_s
        return self.times

    def alone(self) -> bool:
        """Tell what the script says."""
        return self.is_alone

    def waiting_since(self) -> float | None:
        """Tell after which look the bot of the script has last run, if it is runnable."""
        self._pass(self._step.blinks_s)
        self.own_wait_s += self._step.blinks_s
        self._left_s = max(0.0, self._left_s - self._step.blinks_s)
        return self._still_since if self._step.runnable(self._passed_s) else None

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
    monkeypatch.setattr("arena.player.remote_player.time", clock)
    monkeypatch.setattr("arena.player.meter.own_wait_s", lambda: transport.own_wait_s)
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
