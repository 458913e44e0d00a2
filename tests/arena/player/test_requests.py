from collections.abc import Callable
from typing import Any

import pytest

from arena.player import Fault, News, RemotePlayer
from arena.player.process_transport import LEAVE_S
from arena.player.remote_player import HEARS_FAULT_S
from arena.protocol import (
    Bye,
    End,
    Game,
    Hello,
    Introduction,
    Layout,
    Limits,
    PlaceFleet,
    ShootSalvo,
    Shots,
    Unavailable,
)
from arena.protocol import Fault as FaultMessage
from arena.records import Termination
from arena.rules import CellsReport, Place, PlaceRequest, Shoot, ShootRequest, preset, view

GAME = Game(view(preset("salvo")), "first", 7, solo=False, limits=Limits(1, 10, 5))
END = End("won", "sunk", "every ship of the other side is sunk", None, (), None)
SHOOT = ShootRequest("first", 2)

FaultOf = Callable[[Callable[[], object]], tuple[Termination, str]]
Script = Any  # the transport that conftest makes
Scripted = Any  # what it takes for an answer


def shots(message: ShootSalvo) -> Shots:
    return Shots(message.id, (4, 5))


@pytest.fixture
def playing(transport: Script, started: RemotePlayer) -> RemotePlayer:
    transport.expect(Game)
    started.begin(GAME)
    transport.log.clear()
    transport.heard.clear()
    return started


def test_shots_are_the_answer_to_a_request_to_shoot(
    transport: Script, playing: RemotePlayer
) -> None:
    transport.expect(ShootSalvo, shots)
    assert playing.ask(SHOOT, News()).action == Shoot((4, 5))


def test_layout_is_the_answer_to_a_request_to_place(
    transport: Script, playing: RemotePlayer
) -> None:
    transport.expect(PlaceFleet, lambda message: Layout(message.id, {"Boat": (1, 2)}))
    assert playing.ask(PlaceRequest("first"), News()).action == Place({"Boat": (1, 2)})


def test_news_come_with_the_request(transport: Script, playing: RemotePlayer) -> None:
    transport.expect(ShootSalvo, shots)
    playing.ask(SHOOT, News(CellsReport((3,), ()), ((1, 2), (3, 4))))
    (message,) = transport.heard
    assert (message.shots, message.report) == (2, CellsReport((3,), ()))
    assert message.incoming == ((1, 2), (3, 4))


def test_no_id_comes_twice(transport: Script, playing: RemotePlayer) -> None:
    for _ in range(600):
        transport.expect(ShootSalvo, shots)
        playing.ask(SHOOT, News())
    assert len({message.id for message in transport.heard}) == 600


def test_two_runs_have_other_ids(transport: Script, playing: RemotePlayer) -> None:
    """Ids are drawn from the system, not from a seed that a bot could know."""
    transport.expect(ShootSalvo, shots)
    playing.ask(SHOOT, News())
    assert transport.heard[0].id != "0" * 16
    assert len(transport.heard[0].id) == 16


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (Shots("0" * 16, (4, 5)), "the answer has the id '0000000000000000', the request's is"),
        (lambda m: Layout(m.id, {}), "expected 'shots', got"),
        (Introduction(protocol=1, name="x"), "expected 'shots', got"),
        (lambda m: Unavailable(m.id, "away"), "only a bot that was granted the network may say"),
        (b"\n", "in ''"),
        (b"\xff\xfe\n", r"in '\\xff\\xfe'"),
        (b"thinking...\n", "in 'thinking...'"),
    ],
)
def test_answer_to_something_else_is_malformed(
    transport: Script, playing: RemotePlayer, fault_of: FaultOf, answer: Scripted, reason: str
) -> None:
    transport.expect(ShootSalvo, answer)
    termination, told = fault_of(lambda: playing.ask(SHOOT, News()))
    assert termination is Termination.MALFORMED
    assert reason in told


def test_reason_quotes_little_of_a_long_answer(
    transport: Script, playing: RemotePlayer, fault_of: FaultOf
) -> None:
    transport.expect(
        ShootSalvo,
        lambda m: b'{"type":"shots","id":"%s","cells":[1],"%s":1}\n' % (m.id.encode(), b"x" * 9000),
    )
    assert len(fault_of(lambda: playing.ask(SHOOT, News()))[1]) < 600


def test_reason_can_be_printed_whatever_the_bot_wrote() -> None:
    fault = Fault(Termination.EXITED, "\x1b[2J\a a\u202eb\ud800 \u00fc")
    assert fault.reason == r"\x1b[2J\x07 a\u202eb\ud800 ü"


def test_bot_is_stopped_but_for_when_it_is_to_answer(
    transport: Script, playing: RemotePlayer
) -> None:
    transport.expect(ShootSalvo, shots)
    playing.ask(SHOOT, News())
    assert transport.log == ["resume", "ShootSalvo", "pause"]


class Rival:
    """Notes whether it is stopped."""

    paused = False

    def pause(self) -> None:
        self.paused = True


@pytest.mark.parametrize(("after_s", "paused"), [(0.0005, False), (0.002, True)])
def test_rival_is_stopped_when_an_answer_takes_longer_than_a_moment(
    transport: Script, playing: RemotePlayer, after_s: float, *, paused: bool
) -> None:
    rival: Script = Rival()
    playing.sit_with([rival])
    transport.expect(ShootSalvo, shots, after_s=after_s)
    playing.ask(SHOOT, News())
    assert rival.paused == paused


def test_bot_that_its_rivals_stop_is_not_stopped_when_it_has_answered(
    transport: Script, playing: RemotePlayer
) -> None:
    playing.sit_with([])
    for _ in range(2):
        transport.expect(ShootSalvo, shots)
        playing.ask(SHOOT, News())
    assert transport.log == ["resume", "ShootSalvo", "ShootSalvo"]


def test_bot_is_stopped_and_woken_once(transport: Script, playing: RemotePlayer) -> None:
    playing.sit_with([])
    for _ in range(2):
        transport.expect(ShootSalvo, shots)
    playing.ask(SHOOT, News())
    playing.pause()
    playing.pause()
    playing.ask(SHOOT, News())
    assert transport.log == ["resume", "ShootSalvo", "pause", "resume", "ShootSalvo"]


def test_bot_is_stopped_once_it_has_introduced_itself(
    transport: Script, player: RemotePlayer
) -> None:
    transport.expect(Hello, Introduction(protocol=1, name="x"))
    player.start()
    assert transport.log[-1] == "pause"


def test_bot_stays_stopped_between_games(transport: Script, playing: RemotePlayer) -> None:
    transport.expect(End)
    transport.expect(Game)
    playing.end(END)
    playing.begin(GAME)
    assert "resume" not in transport.log


def test_bot_that_is_gone_when_the_game_is_over_forfeits_the_next(
    transport: Script, playing: RemotePlayer, fault_of: FaultOf
) -> None:
    transport.expect(End, Fault(Termination.EXITED, "exited with code 0"))
    playing.end(END)
    assert fault_of(lambda: playing.begin(GAME)) == (Termination.EXITED, "exited with code 0")


def test_bot_starts_anew_after_a_stop(transport: Script, playing: RemotePlayer) -> None:
    transport.expect(End, Fault(Termination.EXITED, "exited with code 0"))
    transport.expect(Bye)
    transport.expect(Hello, Introduction(protocol=1, name="x"))
    transport.expect(Game)
    playing.end(END)
    playing.stop()
    playing.start()
    playing.begin(GAME)
    assert not transport.script


def test_goodbye_leaves_a_moment_to_leave(transport: Script, playing: RemotePlayer) -> None:
    transport.expect(Bye)
    playing.stop()
    assert transport.log == ["Bye", "close"]
    assert transport.grace_s == LEAVE_S


@pytest.mark.parametrize(
    ("termination", "grace_s"),
    [
        (Termination.MALFORMED, HEARS_FAULT_S),
        (Termination.ILLEGAL, HEARS_FAULT_S),
        (Termination.TIMEOUT, 0),
        (Termination.EXITED, 0),
    ],
)
def test_bot_is_sent_its_fault_and_may_read_it_if_it_listens(
    transport: Script, playing: RemotePlayer, termination: Termination, grace_s: float
) -> None:
    transport.expect(FaultMessage)
    playing.stop(Fault(termination, "for a reason"))
    assert transport.heard == [FaultMessage(termination, "for a reason")]
    assert transport.grace_s == grace_s


def test_bot_that_cannot_be_sent_its_fault_is_still_ended(
    transport: Script, playing: RemotePlayer
) -> None:
    transport.expect(Bye, Fault(Termination.EXITED, "closed its input"))
    playing.stop()
    assert transport.log == ["Bye", "close"]


def test_bot_that_does_not_run_needs_no_stop(transport: Script, player: RemotePlayer) -> None:
    player.stop()
    assert transport.log == []
