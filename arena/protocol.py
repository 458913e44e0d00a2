"""The messages between the arena and a bot: one JSON object a line. PROTOCOL.md is the norm.

Everything is a tagged struct. What the arena says is ``ToBot``, what a bot says is ``FromBot``.
Decoding is strict: no unknown field, no float for an integer, no key twice, no NaN.
"""

import json
from collections.abc import Iterable
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from arena.rules import Report, RulesView, Seat
from arena.text import printable

__all__ = [
    "MAX_LINE_BYTES",
    "PROTOCOL_VERSION",
    "AnswerSalvo",
    "Bye",
    "End",
    "Fault",
    "FromBot",
    "Game",
    "Hello",
    "Introduction",
    "Layout",
    "Limits",
    "MoveShip",
    "PlaceFleet",
    "ProtocolError",
    "SalvoAnswer",
    "ShipMove",
    "ShootSalvo",
    "Shots",
    "ToBot",
    "decode_from_bot",
    "decode_to_bot",
    "encode",
]

PROTOCOL_VERSION = 1
MAX_LINE_BYTES = 65_536
"""The longest line that is read from a bot, its newline included."""

Integer = Annotated[int, Meta(ge=-(2**53), le=2**53)]
"""Any integer that JSON carries exactly; of a cell the rules say whether it is legal."""

Id = Annotated[str, Meta(max_length=64)]
Text = Annotated[str, Meta(max_length=200)]
Cells = Annotated[tuple[Integer, ...], Meta(max_length=4096)]


class ProtocolError(Exception):
    """A line is no message of the protocol; the text says why."""


# --- What the arena says ---


class Hello(Struct, frozen=True, tag="hello", tag_field="type"):
    """The first line a bot is sent: answer with an ``Introduction``.

    Attributes:
        protocol: The version of the protocol that the arena speaks.
        rules: The rules of the games to come, of which the bot says whether it plays them.
    """

    protocol: int
    rules: RulesView


class Limits(Struct, frozen=True):
    """How long a bot may take, in seconds, less what it waits for a processor.

    Attributes:
        move_s: For the answer to one request.
        game_s: For all answers of one game together.
        load_s: From the start of the bot to its introduction.
    """

    move_s: float
    game_s: float
    load_s: float


class Game(Struct, frozen=True, tag="game", tag_field="type"):
    """A game begins; no answer.

    Attributes:
        rules: The bot's view of the rules.
        seat: The seat it sits in; the first shoots first.
        seed: An integer below 2**53, the only randomness that the arena gives.
        solo: Whether the bot shoots alone at a layout of the arena.
        limits: The time it may take.
    """

    rules: RulesView
    seat: Seat
    seed: int
    solo: bool
    limits: Limits


class PlaceFleet(Struct, frozen=True, tag="place", tag_field="type"):
    """Place your fleet: answer with a ``Layout``."""

    id: str
    time_left_s: float


class ShootSalvo(Struct, frozen=True, tag="shoot", tag_field="type"):
    """Shoot: answer with ``Shots``.

    Attributes:
        id: To be repeated in the answer.
        shots: How many cells are due.
        time_left_s: What is left of ``limits.game_s``.
        report: What the bot's last salvo did; null before its first.
        incoming: The salvos that came in since the last request, oldest first.
    """

    id: str
    shots: int
    time_left_s: float
    report: Report | None
    incoming: tuple[tuple[int, ...], ...]


class MoveShip(Struct, frozen=True, tag="move", tag_field="type"):
    """Move one undamaged ship, or none: answer with a ``ShipMove``.

    Attributes:
        id: To be repeated in the answer.
        time_left_s: What is left of ``limits.game_s``.
        report: What the bot's last salvo did.
        incoming: The salvos that came in since the last request, oldest first.
    """

    id: str
    time_left_s: float
    report: Report | None
    incoming: tuple[tuple[int, ...], ...]


class AnswerSalvo(Struct, frozen=True, tag="answer", tag_field="type"):
    """Say which cells of a salvo hit, in truth or not: answer with a ``SalvoAnswer``.

    Attributes:
        id: To be repeated in the answer.
        time_left_s: What is left of ``limits.game_s``.
        cells: The cells of the opponent's salvo.
        hits: Those that hit in truth.
        sunk: The bot's ships that the salvo sank; no lie may be about their cells.
        lies_left: How many cells the bot may still lie about in this game.
    """

    id: str
    time_left_s: float
    cells: tuple[int, ...]
    hits: tuple[int, ...]
    sunk: tuple[str, ...]
    lies_left: int


class End(Struct, frozen=True, tag="end", tag_field="type"):
    """The game is over; no answer.

    Attributes:
        result: For the bot that is told.
        termination: How the game ended, one of ``arena.records.Termination``.
        reason: The same in words.
        report: What the bot's last salvo did, if it was not told before.
        incoming: The salvos that came in since the last request, oldest first.
        opponent_layout: Where the opponent's ships lay, if it had placed them.
    """

    result: Literal["won", "lost", "drawn"]
    termination: str
    reason: str
    report: Report | None
    incoming: tuple[tuple[int, ...], ...]
    opponent_layout: dict[str, tuple[int, ...]] | None


class Fault(Struct, frozen=True, tag="fault", tag_field="type"):
    """The bot broke the protocol or the rules and is stopped after this line."""

    termination: str
    reason: str


class Bye(Struct, frozen=True, tag="bye", tag_field="type"):
    """The block is over: leave now. No answer."""


ToBot = Hello | Game | PlaceFleet | ShootSalvo | MoveShip | AnswerSalvo | End | Fault | Bye


# --- What a bot says ---


class Introduction(
    Struct, frozen=True, tag="hello", tag_field="type", forbid_unknown_fields=True, kw_only=True
):
    """The answer to ``Hello``.

    Attributes:
        protocol: The version of the protocol that the bot speaks.
        name: What the bot calls itself.
        author: Who wrote it.
        version: Which version of the bot this is.
        plays: Whether it can play the rules that ``Hello`` told.
        default_field: Whether it belongs to the field of a tournament that names no bots.
    """

    protocol: Integer
    name: Text
    author: Text = ""
    version: Text = ""
    plays: bool = True
    default_field: bool = False


class Layout(Struct, frozen=True, tag="layout", tag_field="type", forbid_unknown_fields=True):
    """The answer to ``PlaceFleet``: the cells of each ship, by the ship's name."""

    id: Id
    ships: Annotated[dict[Text, Cells], Meta(max_length=256)]


class Shots(Struct, frozen=True, tag="shots", tag_field="type", forbid_unknown_fields=True):
    """The answer to ``ShootSalvo``: the cells to shoot."""

    id: Id
    cells: Cells


class ShipMove(Struct, frozen=True, tag="move", tag_field="type", forbid_unknown_fields=True):
    """The answer to ``MoveShip``: a ship and the cells that it lies on now, or null and none."""

    id: Id
    ship: Text | None
    cells: Cells = ()


class SalvoAnswer(Struct, frozen=True, tag="answer", tag_field="type", forbid_unknown_fields=True):
    """The answer to ``AnswerSalvo``: the cells that are told as hits."""

    id: Id
    hits: Cells


FromBot = Introduction | Layout | Shots | ShipMove | SalvoAnswer


# --- Lines ---

_encoder = msgspec.json.Encoder()
_from_bot: msgspec.json.Decoder[FromBot] = msgspec.json.Decoder(FromBot)
_to_bot: msgspec.json.Decoder[ToBot] = msgspec.json.Decoder(ToBot)

_SHOTS_QUOTES = 10
"""Quotation marks in ``Shots``: three keys, and the values of two of them."""

_QUOTED_CHARACTERS = 200
"""How much of a decoder's complaint is passed on: it may quote the line."""


def encode(message: ToBot | FromBot) -> bytes:
    """Return the line of a message, its newline included."""
    return _encoder.encode(message) + b"\n"


def decode_to_bot(line: bytes) -> ToBot:
    """Return what the arena says in a line.

    Raises:
        ProtocolError: If it is no message of the arena.
    """
    try:
        return _to_bot.decode(line)
    except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
        raise ProtocolError(printable(str(error), _QUOTED_CHARACTERS)) from error


def decode_from_bot(line: bytes) -> FromBot:
    """Return what a bot says in a line, strictly.

    Raises:
        ProtocolError: If it is no message of a bot; the text says why.
    """
    try:
        message = _from_bot.decode(line)
        # Every key of Shots is required and no other is allowed, so a line without one more
        # quotation mark has no key twice; this spares the hot path the second parse.
        if type(message) is not Shots or line.count(b'"') != _SHOTS_QUOTES:
            json.loads(line, object_pairs_hook=_refuse_twins)
    except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
        raise ProtocolError(printable(str(error), _QUOTED_CHARACTERS)) from error
    return message


def _refuse_twins(pairs: Iterable[tuple[str, Any]]) -> None:
    keys = set()
    for key, _ in pairs:
        if key in keys:
            raise ProtocolError(f"the key {key[:80]!r} appears twice in one object")
        keys.add(key)
