"""Defines the records of games and blocks, shared by the referee, the store and the tables.

Steps have ``gc=False`` for speed: they hold plain values and cannot be part of a reference cycle.
"""

from enum import StrEnum

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from arena.origin import Origin
from arena.rules import Result, Seat

PAIRS_PER_BLOCK = 10
"""In matches and rounds, at most in leagues, and in every record of an older Salvo."""

PAIRS_PER_BLOCK_OF_A_FIELD = 25
"""In tournaments where each meets each, or one meets all: fewer processes are started, and a field
has blocks enough for its intervals. `docs/performance.md` has what other sizes cost."""

LAYOUTS_PER_BLOCK = 50


class Termination(StrEnum):
    """The ways in which games end, explained in PROTOCOL.md.

    All but the first three are forfeits of the seat at fault.
    """

    SUNK = "sunk"
    TURN_LIMIT = "turn_limit"
    CAPPED = "capped"
    UNSTARTED = "unstarted"
    TIMEOUT = "timeout"
    EXITED = "exited"
    MALFORMED = "malformed"
    ILLEGAL = "illegal"
    BARRED = "barred"
    UNAVAILABLE = "unavailable"


class Settings(Struct, frozen=True, kw_only=True):
    """The time limits of bots, in seconds, not counting their wait for a processor.

    ``load_s`` is from the start of a bot to its introduction, ``game_s`` for all answers of a game.
    """

    load_s: float = 10.0
    move_s: float = 2.0
    game_s: float = 60.0


class Fixture(Struct, frozen=True):
    """One game to be played.

    Attributes:
        id: The game's id in the record, the same in every run of the same tournament.
        second: The entrant in the second seat; None if the first shoots alone.
        pair: The number of its pair in the pairing; in solo, the number of the layout.
        seeds: The seed of each seat; in solo the second is that of the arena's layout.
        attempt: How many earlier attempts at the game were void.
    """

    id: str
    first: str
    second: str | None
    pair: int
    seeds: tuple[int, int]
    attempt: int = 0

    @property
    def seats(self) -> dict[Seat, str]:
        """Return the entrant in each seat; a solo game has none in the second."""
        if self.second is None:
            return {"first": self.first}
        return {"first": self.first, "second": self.second}


BlockKey = tuple[tuple[str, ...], int]
"""The key of a block in a record: its entrants and its number."""


class Block(Struct, frozen=True):
    """The unit of work, commit and resume: games played by the same two fresh processes.

    ``entrants`` are the two of a pairing in alphabetical order, or the one of a solo block;
    ``fixtures`` come in the order of play. A game is void if one of ``excused`` says that what it
    needs from outside is not available; of others that is a forfeit.
    """

    entrants: tuple[str, ...]
    number: int
    fixtures: tuple[Fixture, ...]
    excused: tuple[str, ...] = ()

    @property
    def key(self) -> BlockKey:
        """The key of the block in a record."""
        return self.entrants, self.number

    def __str__(self) -> str:
        return f"block {self.number} of {' and '.join(self.entrants)}"


class Shard(Struct, frozen=True):
    """A part of a tournament that one machine plays, written as ``3/40``."""

    number: int  # its number, from 1
    of: int
    games: int = 0  # games per pairing of the whole tournament, once that is known
    layouts: int = 0  # solo games per bot of the whole tournament, once that is known

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"


class PlaceStep(Struct, frozen=True, gc=False, array_like=True, tag="place"):
    """A fleet was placed; the game's ``layouts`` say where."""

    seat: Seat
    charge_s: float


class ShootStep(Struct, frozen=True, gc=False, array_like=True, tag="shoot"):
    """A salvo was fired."""

    seat: Seat
    cells: tuple[int, ...]
    charge_s: float


class MoveStep(Struct, frozen=True, gc=False, array_like=True, tag="move"):
    """A ship was moved to some cells; none was moved if ``ship`` is None."""

    seat: Seat
    ship: str | None
    cells: tuple[int, ...]
    charge_s: float


class AnswerStep(Struct, frozen=True, gc=False, array_like=True, tag="answer"):
    """A seat said, truthfully or not, which cells of a salvo hit."""

    seat: Seat
    hits: tuple[int, ...]
    charge_s: float


Step = PlaceStep | ShootStep | MoveStep | AnswerStep


class Tally(Struct, frozen=True, array_like=True):
    """The totals of one seat in a game."""

    turns: int = 0
    shots: int = 0
    hits: int = 0


class Game(Struct, frozen=True, kw_only=True):
    """A game that was played.

    Attributes:
        forfeit: The seat that forfeited, if any.
        layouts: The cells of each ship by name, as placed, for each seat that placed a fleet; in
            solo the arena's layout is the second seat's.
        steps: The answers, in order, each with the time charged for it.
        reported: The numbers that bots reported of themselves, by seat and name; nobody checked
            them, and they are no part of what two runs are compared by.
        stderr: If it was forfeited, the end of what the bot at fault had written to stderr; no part
            of what two runs are compared by.
    """

    fixture: Fixture
    result: Result
    termination: Termination
    reason: str
    forfeit: Seat | None
    layouts: dict[Seat, dict[str, list[int]]]
    steps: tuple[Step, ...]
    tallies: tuple[Tally, Tally]
    stderr: str = ""
    reported: dict[Seat, dict[str, float]] = {}


def comparable(game: Game) -> bytes:
    """Return a game as bytes that are the same in every run, on any machine.

    They hold all of it but the time charged for each answer, what the loser wrote to stderr, and
    what bots reported of themselves.
    """
    steps = tuple(replace(step, charge_s=0.0) for step in game.steps)
    return msgspec.json.encode(replace(game, steps=steps, stderr="", reported={}), order="sorted")


class Outcome(Struct, frozen=True):
    """The part of a game's record that schedules use."""

    first: str
    second: str | None
    pair: int
    result: Result


class Void(Struct, frozen=True, omit_defaults=True):
    """An attempt at a game that was broken off, perhaps by no fault of a bot, and replayed.

    ``entrant`` is whose process was killed, or starved of the processor; or who said that there was
    an ``outage`` of what it needs from outside.
    """

    game: str
    attempt: int
    entrant: str
    reason: str
    outage: bool = False


class BlockRecord(Struct, frozen=True):
    """A block that was played to its end, or up to an outage.

    ``isolation`` is the isolation level of its bots and what it promised, as JSON; ``origin`` is
    None where nobody wrote it down. ``checksum`` is made where the block was played; see
    ``arena.checksums``.
    """

    block: Block
    games: tuple[Game, ...]
    isolation: str
    voids: tuple[Void, ...] = ()
    origin: Origin | None = None
    checksum: bytes = b""

    @property
    def broken_off(self) -> Void | None:
        """The outage before which it has no more games; None if it is whole."""
        is_short = len(self.games) < len(self.block.fixtures)
        return self.voids[-1] if is_short and self.voids else None

    def outcomes(self) -> tuple[Outcome, ...]:
        """Return the outcomes of its games."""
        return tuple(
            Outcome(game.fixture.first, game.fixture.second, game.fixture.pair, game.result)
            for game in self.games
        )
