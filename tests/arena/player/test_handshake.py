from collections.abc import Callable
from typing import Any

import pytest

from arena.isolation import SALVOS_PYTHON
from arena.player import Fault, RemotePlayer
from arena.protocol import PROTOCOL_VERSION, Game, Hello, Introduction, Limits, Shots
from arena.records import Settings, Termination
from arena.rules import preset, view

VIEW = view(preset("salvo"))
GAME = Game(VIEW, "first", 7, solo=False, limits=Limits(1, 10, 5))
HONEST = Introduction(protocol=PROTOCOL_VERSION, name="scripted", author="A. Uthor")

FaultOf = Callable[[Callable[[], object]], tuple[Termination, str]]
Script = Any  # the transport that conftest makes
Scripted = Any  # what it takes for an answer


def test_hello_has_the_version_and_the_rules(transport: Script, player: RemotePlayer) -> None:
    transport.expect(Hello, HONEST)
    player.start()
    assert transport.heard == [Hello(PROTOCOL_VERSION, VIEW)]


def test_introduction_is_kept(transport: Script, player: RemotePlayer) -> None:
    transport.expect(Hello, HONEST)
    player.start()
    assert player.introduction == HONEST


def test_bot_that_runs_is_not_started_again(transport: Script, player: RemotePlayer) -> None:
    transport.expect(Hello, HONEST)
    player.start()
    player.start()
    assert transport.log.count("Hello") == 1


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (
            FileNotFoundError(2, "No such file or directory", "bot.py"),
            "[Errno 2] No such file or directory: 'bot.py'",
        ),
        (
            FileNotFoundError(2, "No such file or directory", "python3"),
            f"[Errno 2] No such file or directory: 'python3'; {SALVOS_PYTHON}",
        ),
        (
            PermissionError(13, "Permission denied", "python3"),
            (
                "[Errno 13] Permission denied: 'python3'; a script needs `chmod +x` and a first "
                "line #!..., or its interpreter before it, as in 'node bot.js'; source code needs "
                "a compiler first"
            ),
        ),
        (
            OSError(8, "Exec format error"),
            (
                "[Errno 8] Exec format error; a script needs `chmod +x` and a first line #!..., or "
                "its interpreter before it, as in 'node bot.js'; source code needs a compiler first"
            ),
        ),
    ],
)
def test_program_that_cannot_be_started_is_a_fault_with_the_fix(
    fault_of: FaultOf, error: OSError, told: str
) -> None:
    def connect() -> Script:
        raise error

    player = RemotePlayer(connect, VIEW, Settings())
    player.launch()
    assert fault_of(player.start) == (Termination.UNSTARTED, f"cannot be started: {told}")


def test_bots_are_launched_before_they_are_waited_for(
    transport: Script, player: RemotePlayer
) -> None:
    transport.expect(Hello, HONEST)
    player.launch()
    player.launch()
    assert transport.log == ["Hello"]
    assert player.introduction is None
    player.start()
    assert transport.log == ["Hello", "pause"]
    assert player.introduction == HONEST


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (Introduction(protocol=2, name="x"), "it speaks protocol 2, the arena 1"),
        (Shots("0", (1,)), "expected 'hello', got"),
        (b"hello\n", "malformed"),
        (b'{"type":"hello","protocol":1}\n', "missing required field `name`"),
        (b'{"type":"hello","protocol":1,"name":"x","protocol":1}\n', "'protocol' appears twice"),
        (None, "did not answer in time (5 s to load)"),
        (Fault(Termination.EXITED, "exited with code 3"), "exited with code 3"),
    ],
)
def test_bot_without_introduction_counts_as_not_started(
    transport: Script, player: RemotePlayer, fault_of: FaultOf, answer: Scripted, reason: str
) -> None:
    transport.expect(Hello, answer)
    termination, told = fault_of(player.start)
    assert termination is Termination.UNSTARTED
    assert told.startswith("gave no introduction: ")
    assert reason in told


def test_bot_has_the_time_to_load_and_no_more(
    transport: Script, player: RemotePlayer, fault_of: FaultOf
) -> None:
    transport.expect(Hello, HONEST, after_s=5.3)
    assert fault_of(player.start)[0] is Termination.UNSTARTED


def test_bot_may_use_all_its_time_to_load(transport: Script, player: RemotePlayer) -> None:
    transport.expect(Hello, HONEST, after_s=4.9)
    player.start()
    assert player.introduction == HONEST


def test_bot_that_cannot_play_the_rules_says_so_without_being_at_fault(
    transport: Script, player: RemotePlayer
) -> None:
    transport.expect(Hello, Introduction(protocol=1, name="x", plays=False))
    player.start()
    assert player.introduction is not None
    assert not player.introduction.plays


def test_bot_that_cannot_play_the_rules_forfeits_a_game_by_them(
    transport: Script, player: RemotePlayer, fault_of: FaultOf
) -> None:
    transport.expect(Hello, Introduction(protocol=1, name="x", plays=False))
    player.start()
    termination, reason = fault_of(lambda: player.begin(GAME))
    assert termination is Termination.UNSTARTED
    assert reason == "says that it does not play these rules"
