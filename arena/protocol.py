"""Defines the messages between the arena and a bot: one JSON object per line, see PROTOCOL.md.

Every message is a tagged struct, whose fields PROTOCOL.md explains. ``ToBot`` is what the arena
sends, ``FromBot`` what a bot sends.
The messages of every turn have ``gc=False`` for speed: they hold plain values and cannot be part of
a reference cycle.
Decoding is strict: no unknown field, no float for an integer, no duplicate key, no NaN.
"""

from collections.abc import Iterable
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from arena.rules import Report, RulesView, Seat
from arena.text import printable

PROTOCOL_VERSION = 1
MAX_LINE_BYTES = 65_536
"""The longest line that a bot may send, including its newline."""

Integer = Annotated[int, Meta(ge=-(2**53), le=2**53)]
"""Any integer that is exact in JSON; the rules decide which are legal cells."""

Id = Annotated[str, Meta(max_length=64)]
MAX_REASON = 200
"""How many characters a bot has to say why something outside is not available."""

Text = Annotated[str, Meta(max_length=200)]
NumberName = Annotated[str, Meta(pattern=r"^[A-Za-z][A-Za-z0-9_-]{0,19}\Z")]
"""What a number is called that a bot reports of itself; tables show it."""

MOST_NUMBERS = 8
Reported = Annotated[
    dict[NumberName, Annotated[float, Meta(ge=-1e15, le=1e15)]], Meta(max_length=MOST_NUMBERS)
]
Cells = Annotated[tuple[Integer, ...], Meta(max_length=4096)]


class ProtocolError(Exception):
    """A line is not a message of the protocol; the text says why."""


# --- From the arena ---


class Hello(Struct, frozen=True, tag="hello", tag_field="type"):
    """The first message to a bot: answer with an ``Introduction``."""

    protocol: int
    rules: RulesView


class Limits(Struct, frozen=True):
    """The time limits of a bot, in seconds, not counting its wait for a processor."""

    move_s: float
    game_s: float
    load_s: float


class Game(Struct, frozen=True, tag="game", tag_field="type"):
    """A game begins; no answer."""

    rules: RulesView
    seat: Seat
    seed: int
    solo: bool
    limits: Limits


class PlaceFleet(Struct, frozen=True, tag="place", tag_field="type"):
    """Place your fleet: answer with a ``Layout``."""

    id: str
    time_left_s: float


class ShootSalvo(Struct, frozen=True, gc=False, tag="shoot", tag_field="type"):
    """Shoot: answer with ``Shots``."""

    id: str
    shots: int
    time_left_s: float
    report: Report | None
    incoming: tuple[tuple[int, ...], ...]


class MoveShip(Struct, frozen=True, gc=False, tag="move", tag_field="type"):
    """Move one undamaged ship, or none: answer with a ``ShipMove``."""

    id: str
    time_left_s: float
    report: Report | None
    incoming: tuple[tuple[int, ...], ...]


class AnswerSalvo(Struct, frozen=True, gc=False, tag="answer", tag_field="type"):
    """Say, truthfully or not, which cells of a salvo hit: answer with a ``SalvoAnswer``."""

    id: str
    time_left_s: float
    cells: tuple[int, ...]
    hits: tuple[int, ...]
    sunk: tuple[str, ...]
    lies_left: int


class End(Struct, frozen=True, tag="end", tag_field="type"):
    """The game is over; no answer, but ``Numbers`` from a bot that reports some."""

    result: Literal["won", "lost", "drawn"]
    termination: str
    reason: str
    report: Report | None
    incoming: tuple[tuple[int, ...], ...]
    opponent_layout: dict[str, tuple[int, ...]] | None


class Fault(Struct, frozen=True, tag="fault", tag_field="type"):
    """The bot broke the protocol, the time limits or the rules; it is killed after this message."""

    termination: str
    reason: str


class Bye(Struct, frozen=True, tag="bye", tag_field="type"):
    """The block is over: exit now. No answer."""


ToBot = Hello | Game | PlaceFleet | ShootSalvo | MoveShip | AnswerSalvo | End | Fault | Bye


# --- From a bot ---


class Introduction(
    Struct, frozen=True, tag="hello", tag_field="type", forbid_unknown_fields=True, kw_only=True
):
    """The answer to ``Hello``."""

    protocol: Integer
    name: Text
    author: Text = ""
    version: Text = ""
    plays: bool = True
    default_field: bool = False
    reports: bool | msgspec.UnsetType = msgspec.UNSET  # older arenas do not know it


class Layout(Struct, frozen=True, tag="layout", tag_field="type", forbid_unknown_fields=True):
    """The answer to ``PlaceFleet``: the cells of each ship, by the ship's name."""

    id: Id
    ships: Annotated[dict[Text, Cells], Meta(max_length=256)]


class Shots(
    Struct, frozen=True, gc=False, tag="shots", tag_field="type", forbid_unknown_fields=True
):
    """The answer to ``ShootSalvo``: the cells to shoot."""

    id: Id
    cells: Cells


class ShipMove(
    Struct, frozen=True, gc=False, tag="move", tag_field="type", forbid_unknown_fields=True
):
    """The answer to ``MoveShip``: a ship and the cells it lies on now; null and none to stay."""

    id: Id
    ship: Text | None
    cells: Cells = ()


class SalvoAnswer(
    Struct, frozen=True, gc=False, tag="answer", tag_field="type", forbid_unknown_fields=True
):
    """The answer to ``AnswerSalvo``: the cells of the salvo that the bot says are hits."""

    id: Id
    hits: Cells


class Unavailable(
    Struct, frozen=True, tag="unavailable", tag_field="type", forbid_unknown_fields=True
):
    """An answer to any request: what the bot needs from outside is not available."""

    id: Id
    reason: Annotated[str, Meta(max_length=MAX_REASON)]


class Numbers(Struct, frozen=True, tag="numbers", tag_field="type", forbid_unknown_fields=True):
    """The answer to ``End`` of a bot that reports numbers: what it says of itself in that game."""

    numbers: Reported


FromBot = Introduction | Layout | Shots | ShipMove | SalvoAnswer | Unavailable | Numbers


# --- Lines ---

_encoder = msgspec.json.Encoder()
_from_bot: msgspec.json.Decoder[FromBot] = msgspec.json.Decoder(FromBot)
_to_bot: msgspec.json.Decoder[ToBot] = msgspec.json.Decoder(ToBot)

_QUOTES = 10
"""Quotation marks in ``Shots``, and in ``Layout`` besides those of its ships' names: of three keys,
and of the values of two of them."""

_QUOTED_CHARACTERS = 200
"""How much of a decoder's error message is kept, since it may quote the line."""


def encode(message: ToBot | FromBot) -> bytes:
    """Return a message as a line, including its newline."""
    return _encoder.encode(message) + b"\n"


def decode_to_bot(line: bytes) -> ToBot:
    """Return the arena's message in a line.

    Raises:
        ProtocolError: If the line is not one.
    """
    try:
        return _to_bot.decode(line)
    except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
        raise ProtocolError(printable(str(error), _QUOTED_CHARACTERS)) from error


def unknown_rules(line: bytes) -> list[str]:
    """Return the fields of the rules in a message that this version does not know."""
    message: dict[str, dict[str, object]] = msgspec.json.decode(line)
    return sorted(message["rules"].keys() - set(RulesView.__struct_fields__))


def decode_from_bot(line: bytes) -> FromBot:
    """Return a bot's message in a line, decoded strictly.

    Raises:
        ProtocolError: If the line is not one; the text says why.
    """
    try:
        message = _from_bot.decode(line)
        # All keys of these are required and no others allowed, so a line without extra quotation
        # marks has no duplicate key; this saves the second parse for most messages.
        if isinstance(message, Shots):
            quotes = _QUOTES
        elif isinstance(message, Layout):
            quotes = _QUOTES + 2 * len(message.ships)
        else:
            quotes = 0
        if line.count(b'"') != quotes:
            _refuse_duplicates(line)
    except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
        raise ProtocolError(printable(str(error), _QUOTED_CHARACTERS)) from error
    return message


def _refuse_duplicates(line: bytes) -> None:
    import json  # noqa: PLC0415 - every bot imports this module, and only the arena asks for this

    json.loads(line, object_pairs_hook=_refuse_duplicate)


def _refuse_duplicate(pairs: Iterable[tuple[str, Any]]) -> None:
    keys = set()
    for key, _ in pairs:
        if key in keys:
            raise ProtocolError(f"the key {key[:80]!r} appears twice in one object")
        keys.add(key)
