"""What is written down: games, and blocks of games; logs, store and tables share one shape."""

from enum import StrEnum

from msgspec import Struct

from arena.rules import Result, Seat

__all__ = [
    "AnswerStep",
    "Block",
    "BlockKey",
    "BlockRecord",
    "Fixture",
    "Game",
    "MoveStep",
    "Outcome",
    "PlaceStep",
    "Settings",
    "ShootStep",
    "Step",
    "Tally",
    "Termination",
    "Void",
]


class Termination(StrEnum):
    """How a game ended; after the first three, forfeits of the seat at fault."""

    SUNK = "sunk"
    """A side had no ship left."""
    TURN_LIMIT = "turn_limit"
    """The turns were used up; who had sunk more ships has won."""
    CAPPED = "capped"
    """A solo game went on for ten times the cells of the board; the layout has won."""
    UNSTARTED = "unstarted"
    """The bot did not start, or did not introduce itself in time and as the protocol asks."""
    TIMEOUT = "timeout"
    """The answer did not come within the time for the move or for the game."""
    EXITED = "exited"
    """The bot's process ended, or closed its output, while an answer was due."""
    MALFORMED = "malformed"
    """The answer was no message of the protocol, too long, or answered another request."""
    ILLEGAL = "illegal"
    """The answer was well formed and against the rules."""
    BARRED = "barred"
    """The bot had forfeited three games of the block, and so forfeits the rest unplayed."""


class Settings(Struct, frozen=True, kw_only=True):
    """The settings of a run that bots can feel, in seconds, less what they wait for a processor.

    Attributes:
        load_s: From the start of a bot to its introduction.
        move_s: For the answer to one request.
        game_s: For all answers of one game together.
    """

    load_s: float = 10.0
    move_s: float = 2.0
    game_s: float = 60.0


class Fixture(Struct, frozen=True):
    """One game to be played.

    Attributes:
        id: The game's name in the record, the same in every run of the same tournament.
        first: The entrant that sits first.
        second: The entrant that sits second; None when the first shoots alone.
        pair: Which pair of its pairing the game belongs to; in solo, which layout it is.
        seeds: The seed of each seat; in solo the second is the one of the arena's layout.
        attempt: How often the game was begun before and came to no result.
    """

    id: str
    first: str
    second: str | None
    pair: int
    seeds: tuple[int, int]
    attempt: int = 0


class Block(Struct, frozen=True):
    """The unit of work, commit and resume: games played by the same two fresh processes.

    Attributes:
        entrants: The two of a pairing in the order of their names, or the one of a solo block.
        number: Which block of its pairing it is.
        fixtures: The games, in the order in which they are played.
    """

    entrants: tuple[str, ...]
    number: int
    fixtures: tuple[Fixture, ...]


BlockKey = tuple[tuple[str, ...], int]
"""What names a block in a record: its entrants and its number."""


class PlaceStep(Struct, frozen=True, array_like=True, tag="place"):
    """A fleet was placed; where, stands in the game's layouts."""

    seat: Seat
    charge_s: float


class ShootStep(Struct, frozen=True, array_like=True, tag="shoot"):
    """A salvo was fired."""

    seat: Seat
    cells: tuple[int, ...]
    charge_s: float


class MoveStep(Struct, frozen=True, array_like=True, tag="move"):
    """A ship was moved to some cells, or none was."""

    seat: Seat
    ship: str | None
    cells: tuple[int, ...]
    charge_s: float


class AnswerStep(Struct, frozen=True, array_like=True, tag="answer"):
    """It was said at which cells a salvo hit."""

    seat: Seat
    hits: tuple[int, ...]
    charge_s: float


Step = PlaceStep | ShootStep | MoveStep | AnswerStep


class Tally(Struct, frozen=True, array_like=True):
    """What one seat did in a game."""

    turns: int = 0
    shots: int = 0
    hits: int = 0


class Game(Struct, frozen=True, kw_only=True):
    """A game that was played.

    Attributes:
        fixture: Who played it, and with which seeds.
        result: Who won.
        termination: How it ended.
        reason: The same in words.
        forfeit: The seat that lost by a forfeit, if any.
        layouts: The cells of each ship by name, for each seat that placed a fleet, as it was
            placed; in solo the layout of the arena stands as the second seat's.
        steps: The answers, in order, each with the time charged for it.
        tallies: What the two seats did.
    """

    fixture: Fixture
    result: Result
    termination: Termination
    reason: str
    forfeit: Seat | None
    layouts: dict[Seat, dict[str, list[int]]]
    steps: tuple[Step, ...]
    tallies: tuple[Tally, Tally]


class Outcome(Struct, frozen=True):
    """How a game of a block went, as far as schedules ask.

    Attributes:
        first: The entrant that sat first.
        second: The entrant that sat second; None when the first shot alone.
        pair: Which pair of its pairing the game belongs to.
        result: Who won.
    """

    first: str
    second: str | None
    pair: int
    result: Result


class Void(Struct, frozen=True):
    """A game that was broken off by what may not be a bot's fault, and was played again.

    Attributes:
        game: Its id.
        attempt: Which attempt at it came to nothing, from 0.
        entrant: Whose process ended or was starved of the processor.
        reason: What happened, in words.
    """

    game: str
    attempt: int
    entrant: str
    reason: str


class BlockRecord(Struct, frozen=True):
    """A block that was played whole.

    Attributes:
        block: What was to be played.
        games: The games, in the order of the block's fixtures.
        isolation: The level at which its bots were isolated and what it promised, as JSON.
        voids: The games that were begun more than once, each time that one was broken off.
    """

    block: Block
    games: tuple[Game, ...]
    isolation: str
    voids: tuple[Void, ...] = ()

    def outcomes(self) -> tuple[Outcome, ...]:
        """Return how its games went."""
        return tuple(
            Outcome(game.fixture.first, game.fixture.second, game.fixture.pair, game.result)
            for game in self.games
        )
