"""Requests as they are sent to a bot, and the errors that wrong answers to them get."""

import pytest

from arena import protocol
from arena.player.messages import (
    gave_no_introduction,
    line_too_long,
    read_action,
    read_introduction,
    read_numbers,
    request_message,
    require_playing,
    timed_out,
    too_late,
)
from arena.player.player import Fault, News, Outage, Starved
from arena.records import Settings, Termination
from arena.rules import (
    Action,
    Answer,
    AnswerRequest,
    CellsReport,
    Move,
    MoveRequest,
    Place,
    PlaceRequest,
    Request,
    Shoot,
    ShootRequest,
)

PLACE, SHOOT, MOVE = PlaceRequest("first"), ShootRequest("first", 2), MoveRequest("first")
ANSWER = AnswerRequest("first", (3, 4), (4,), ("Boat",), 2)
DUE = {PLACE: "layout", SHOOT: "shots", MOVE: "move", ANSWER: "answer"}
NEWS = News(CellsReport((1,), ()), ((2,), (5, 6)))
STRAY = "stdout is only for answers, print anything else to stderr"


@pytest.mark.parametrize(
    ("request_", "message"),
    [
        (PLACE, protocol.PlaceFleet("7", 1.235)),
        (SHOOT, protocol.ShootSalvo("7", 2, 1.235, NEWS.report, NEWS.incoming)),
        (MOVE, protocol.MoveShip("7", 1.235, NEWS.report, NEWS.incoming)),
        (ANSWER, protocol.AnswerSalvo("7", 1.235, (3, 4), (4,), ("Boat",), 2)),
    ],
)
def test_request_says_what_is_due_and_how_much_time_is_left(
    request_: Request, message: protocol.ToBot
) -> None:
    assert request_message(request_, NEWS, "7", 1.23456) == message
    assert request_message(request_, NEWS, "7", 1.2354) == message


@pytest.mark.parametrize(
    ("line", "request_", "action"),
    [
        (b'{"type":"layout","id":"7","ships":{"Boat":[0,1]}}', PLACE, Place({"Boat": (0, 1)})),
        (b'{"type":"shots","id":"7","cells":[4,5]}', SHOOT, Shoot((4, 5))),
        (b'{"type":"move","id":"7","ship":"Boat","cells":[1,2]}', MOVE, Move("Boat", (1, 2))),
        (b'{"type":"move","id":"7","ship":null}', MOVE, Move(None)),
        (b'{"type":"answer","id":"7","hits":[]}', ANSWER, Answer(())),
    ],
)
def test_answer_is_the_action_that_it_says(line: bytes, request_: Request, action: Action) -> None:
    for waits in (False, True):
        assert read_action(line, request_, "7", waits=waits) == action
    with pytest.raises(Fault) as fault:
        read_action(line, request_, "8")
    assert fault.value.reason == "the answer has the id '7', the request's is '8'"
    for other, due in DUE.items():
        if other != request_:
            with pytest.raises(Fault) as fault:
                read_action(line, other, "7")
            assert fault.value.reason == f"expected '{due}', got '{line.decode()}'"


UNAVAILABLE = b'{"type":"unavailable","id":"7","reason":"no network"}'


def test_bot_that_waits_may_say_that_it_cannot_go_on() -> None:
    for request in (PLACE, SHOOT, MOVE, ANSWER):
        with pytest.raises(Outage) as outage:
            read_action(UNAVAILABLE, request, "7", waits=True)
        assert outage.value.reason == "says that it cannot go on: no network"
        assert outage.value.termination is Termination.UNAVAILABLE


@pytest.mark.parametrize(
    ("line", "waits", "told"),
    [
        (b"hello\n", False, f"in 'hello'; {STRAY}"),
        (b' {"type":"shots"}\r\n', False, ' {"type":"shots"}\''),
        (UNAVAILABLE, False, "; only a bot that was granted the network may say that it is"),
        (UNAVAILABLE.replace(b"7", b"8"), True, '"reason":"no network"}\''),
        (b"x" * 200, False, f"in '{'x' * 200}'; {STRAY}"),
        (b"x" * 201, False, f"in '{'x' * 200}'...; {STRAY}"),
        (b"\xff", False, f"in '\\\\xff'; {STRAY}"),
    ],
)
def test_line_that_is_no_answer_is_quoted(line: bytes, *, waits: bool, told: str) -> None:
    with pytest.raises(Fault) as fault:
        read_action(line, SHOOT, "7", waits=waits)
    assert type(fault.value) is Fault
    assert fault.value.termination is Termination.MALFORMED
    assert told in fault.value.reason
    assert fault.value.reason.endswith(told) or told.startswith("; only")
    assert ("..." in fault.value.reason) is (len(line) > 200)


@pytest.mark.parametrize(
    "line",
    [
        b'{"type":"hello","protocol":1,"name":"a"}',
        b'{"type":"layout","id":"7","ships":{"Boat":[0,1]}}',
        b'{"type":"shots","id":"7","cells":[4,5]}',
        b'{"type":"move","id":"7","ship":null}',
        b'{"type":"answer","id":"7","hits":[]}',
        UNAVAILABLE,
        b'{"type":"numbers","numbers":{}}',
    ],
)
def test_answer_has_no_field_that_there_is_not(line: bytes) -> None:
    protocol.decode_from_bot(line)
    with pytest.raises(protocol.ProtocolError, match="unknown field `x`"):
        protocol.decode_from_bot(line[:-1] + b',"x":1}')


def test_complaint_is_told_whole_up_to_two_hundred_characters() -> None:
    def complaint(length: int) -> str:
        line = b'{"type":"shots","id":"7","cells":[],"' + b"f" * length + b'":1}'
        with pytest.raises(Fault) as fault:
            read_action(line, SHOOT, "7")
        return fault.value.reason.partition(", in '")[0]

    length = 200 - len(complaint(1)) + 1
    assert len(complaint(length)) == 200
    assert not complaint(length).endswith("...")
    assert complaint(length + 1) == f"{complaint(length)[:-1]}f..."


def test_long_complaint_is_cut() -> None:
    field = b"f" * 300
    line = b'{"type":"shots","id":"7","cells":[],"' + field + b'":1}'
    with pytest.raises(Fault) as fault:
        read_action(line, SHOOT, "7")
    why, _, quoted = fault.value.reason.partition(", in '")
    assert why.endswith("f...")
    assert len(why) == 203
    assert quoted.endswith("f'...")


def test_introduction_is_read_or_refused() -> None:
    version = protocol.PROTOCOL_VERSION
    line = f'{{"type":"hello","protocol":{version},"name":"a"}}'.encode()
    told = read_introduction(line)
    assert (told.name, told.plays) == ("a", True)
    require_playing(told)
    for wrong, reason in (
        (
            line.replace(f"{version},".encode(), b"77,"),
            f"it speaks protocol 77, the arena {version}",
        ),
        (UNAVAILABLE, f"expected 'hello', got '{UNAVAILABLE.decode()}'"),
    ):
        with pytest.raises(Fault) as fault:
            read_introduction(wrong)
        assert (fault.value.termination, fault.value.reason) == (Termination.MALFORMED, reason)
    unwilling = read_introduction(line[:-1] + b',"plays":false}')
    with pytest.raises(Fault) as fault:
        require_playing(unwilling)
    assert fault.value.termination is Termination.UNSTARTED
    assert fault.value.reason == "says that it does not play these rules"


def test_numbers_are_read_or_refused() -> None:
    assert read_numbers(b'{"type":"numbers","numbers":{"n":1.5}}') == {"n": 1.5}
    with pytest.raises(Fault) as fault:
        read_numbers(UNAVAILABLE)
    assert fault.value.reason == f"expected 'numbers', got '{UNAVAILABLE.decode()}'"


SETTINGS = Settings(load_s=9.5, move_s=2.5, game_s=60.0)


def test_why_there_was_no_introduction_is_said_with_the_fix() -> None:
    for fault, reason in (
        (
            too_late(),
            (
                "gave no introduction: did not answer in time (9.5 s to load); allow more with "
                "--load-time, or in a league with load_s in its league.toml"
            ),
        ),
        (
            Fault(Termination.EXITED, "exited with code 0"),
            (
                "gave no introduction: exited with code 0 before it answered; does the file end in "
                "run(...)?"
            ),
        ),
        (
            Fault(Termination.EXITED, "exited with code 1"),
            "gave no introduction: exited with code 1",
        ),
        (line_too_long(), "gave no introduction: sent a line of more than 65536 bytes"),
    ):
        told = gave_no_introduction(fault, SETTINGS)
        assert (told.termination, told.reason) == (Termination.UNSTARTED, reason)
    unsure = gave_no_introduction(Starved(Termination.TIMEOUT, "late"), SETTINGS)
    assert isinstance(unsure, Starved)


@pytest.mark.parametrize(
    ("left_s", "limit"),
    [
        (2.5, "2.5 s for a move"),
        (60.0, "2.5 s for a move"),
        (2.4999, "2.5 s, all that was left of the 60 s for a game"),
        (0.01234, "0.0123 s, all that was left of the 60 s for a game"),
    ],
)
def test_limit_that_was_exceeded_is_said(left_s: float, limit: str) -> None:
    told = timed_out(Starved(Termination.TIMEOUT, "did not answer"), SETTINGS, left_s)
    assert isinstance(told, Starved)
    assert (told.termination, told.reason) == (Termination.TIMEOUT, f"did not answer ({limit})")
