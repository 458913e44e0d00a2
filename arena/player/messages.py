"""Converts requests to messages and a bot's lines to actions; strict, with reasons for the bot."""

from arena import protocol
from arena.player.player import Fault, News, Outage
from arena.records import Settings, Termination
from arena.rules import (
    Action,
    Answer,
    AnswerRequest,
    Move,
    MoveRequest,
    Place,
    PlaceRequest,
    Request,
    Shoot,
    ShootRequest,
)

_LEFT = "exited with code 0"

ONLY_ANSWERS = "stdout is only for answers, print anything else to stderr"

_QUOTED_BYTES = 200
"""How many bytes of an answer a reason quotes."""


def request_message(request: Request, news: News, id_: str, left_s: float) -> protocol.ToBot:
    """Return the message that asks a bot for an answer."""
    left_s = int(left_s * 1e3 + 0.5) / 1e3  # faster than ``round``
    # Fast path: most requests are for shots, and a type check is cheaper than ``match``.
    if isinstance(request, ShootRequest):
        return protocol.ShootSalvo(id_, request.shots, left_s, news.report, news.incoming)
    match request:
        case PlaceRequest():
            return protocol.PlaceFleet(id_, left_s)
        case MoveRequest():
            return protocol.MoveShip(id_, left_s, news.report, news.incoming)
        case AnswerRequest(cells=cells, hits=hits, sunk=sunk, lies=lies):
            return protocol.AnswerSalvo(id_, left_s, cells, hits, sunk, lies)


def read_introduction(line: bytes) -> protocol.Introduction:
    """Return the introduction in a bot's line.

    Raises:
        Fault: ``MALFORMED``, if it is not one.
    """
    message = _decode(line)
    if not isinstance(message, protocol.Introduction):
        raise Fault(Termination.MALFORMED, f"expected 'hello', got {_quote(line)}")
    if message.protocol != protocol.PROTOCOL_VERSION:
        raise Fault(
            Termination.MALFORMED,
            f"it speaks protocol {message.protocol}, the arena {protocol.PROTOCOL_VERSION}",
        )
    return message


def _decode(line: bytes) -> protocol.FromBot:
    try:
        return protocol.decode_from_bot(line)
    except protocol.ProtocolError as error:
        why = str(error)
        if len(why) > _QUOTED_BYTES:  # it may name a field that the bot made up
            why = f"{why[:_QUOTED_BYTES]}..."
        # What is no JSON object was hardly meant as an answer: mostly it is a print to debug.
        stray = "" if line.lstrip().startswith(b"{") else f"; {ONLY_ANSWERS}"
        raise Fault(Termination.MALFORMED, f"{why}, in {_quote(line)}{stray}") from error


def read_action(line: bytes, request: Request, expected: str, *, waits: bool = False) -> Action:
    """Return the action in a bot's answer; one that ``waits`` may say that there is an outage.

    Raises:
        Fault: ``MALFORMED``, if it does not answer this request; ``Outage``, if it says so.
    """
    message = _decode(line)
    # Fast path: see ``request_message``.
    if type(message) is protocol.Shots and type(request) is ShootRequest and message.id == expected:
        return Shoot(message.cells)
    action: Action
    match message, request:
        case protocol.Shots(cells=cells), ShootRequest():
            action = Shoot(cells)
        case protocol.Layout(ships=ships), PlaceRequest():
            action = Place(ships)
        case protocol.ShipMove(ship=ship, cells=cells), MoveRequest():
            action = Move(ship, cells)
        case protocol.SalvoAnswer(hits=hits), AnswerRequest():
            action = Answer(hits)
        case protocol.Unavailable(id=id_, reason=reason), _ if waits and id_ == expected:
            raise Outage(Termination.UNAVAILABLE, f"says that it cannot go on: {reason}")
        case _:
            due = _DUE[type(request)]
            alone = "" if waits or not isinstance(message, protocol.Unavailable) else _NOT_GRANTED
            raise Fault(Termination.MALFORMED, f"expected '{due}', got {_quote(line)}{alone}")
    if message.id != expected:
        raise Fault(
            Termination.MALFORMED,
            f"the answer has the id {message.id!r}, the request's is {expected!r}",
        )
    return action


def read_numbers(line: bytes) -> dict[str, float]:
    """Return the numbers in a bot's answer to the end of a game.

    Raises:
        Fault: ``MALFORMED``, if it is no such answer.
    """
    message = _decode(line)
    if not isinstance(message, protocol.Numbers):
        raise Fault(Termination.MALFORMED, f"expected 'numbers', got {_quote(line)}")
    return message.numbers


_NOT_GRANTED = "; only a bot that was granted the network may say that it is unavailable"

_DUE = {PlaceRequest: "layout", ShootRequest: "shots", MoveRequest: "move", AnswerRequest: "answer"}
"""The type of the message that answers a request."""


def _quote(line: bytes) -> str:
    text = line[:_QUOTED_BYTES].decode("utf-8", "backslashreplace").rstrip("\r\n")
    return f"{text!r}{'...' if len(line) > _QUOTED_BYTES else ''}"


def too_late() -> Fault:
    """Return the fault of a bot that did not answer in time."""
    return Fault(Termination.TIMEOUT, "did not answer in time")


def require_playing(introduction: protocol.Introduction | None) -> None:
    """Refuse a bot that does not play the rules.

    Raises:
        Fault: ``UNSTARTED``, if it says so.
    """
    assert introduction is not None, "start it first"
    if not introduction.plays:
        raise Fault(Termination.UNSTARTED, "says that it does not play these rules")


def line_too_long() -> Fault:
    """Return the fault of a bot that sent a line that is too long."""
    return Fault(Termination.MALFORMED, f"sent a line of more than {protocol.MAX_LINE_BYTES} bytes")


def gave_no_introduction(fault: Fault, settings: Settings) -> Fault:
    """Return the fault to report if ``fault`` came in place of an introduction."""
    reason = f"gave no introduction: {fault.reason}"
    if fault.termination is Termination.TIMEOUT:
        reason = (
            f"{reason} ({settings.load_s:g} s to load); allow more with --load-time, "
            "or in a league with load_s in its league.toml"
        )
    elif fault.reason == _LEFT:
        reason = f"{reason} before it answered; does the file end in run(...)?"
    return type(fault)(Termination.UNSTARTED, reason)


def timed_out(fault: Fault, settings: Settings, left_s: float) -> Fault:
    """Return a timeout with the exceeded limit in its reason."""
    limit = f"{settings.move_s:g} s for a move"
    if left_s < settings.move_s:
        limit = f"{left_s:.3g} s, all that was left of the {settings.game_s:g} s for a game"
    return type(fault)(fault.termination, f"{fault.reason} ({limit})")
