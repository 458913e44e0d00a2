"""Plays a game between a person and a bot, recorded like any other."""

import hashlib
import itertools
from collections.abc import Collection, Iterable, Mapping
from random import SystemRandom

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from arena.checksums import with_checksum
from arena.entrants import Entrant
from arena.isolation import Choice, Program
from arena.origin import origin_of
from arena.player import Player
from arena.records import Block, BlockRecord, Fixture, Settings
from arena.referee import play_game
from arena.rules import Rules, Seat
from arena.seeds import Seeds
from arena.store import Store, Tournament
from arena.tournament import name_tournament

SETTINGS = Settings()
"""The time limits of bots against a person."""

SEED_BITS = 53


def enter_person(name: str) -> Entrant:
    """Return a person as an entrant, without a program and with the hash of the name."""
    digest = hashlib.sha256(f"person {name}".encode()).hexdigest()
    return Entrant(name, Program(argv=(), folder="", files=()), digest)


class GameOptions(Struct, frozen=True):
    """A person's options for a game.

    Without a seat the person alternates; without a seed, those of the seats are drawn.
    """

    rated: bool = False
    seat: Seat | None = None
    seed: int | None = None


def next_game(
    store: Store, rules: Rules, who: tuple[Entrant, Entrant], options: GameOptions
) -> tuple[Tournament, Block]:
    """Return the next game of a person and a bot, and its tournament.

    The tournament has no seed of its own; each fixture has its game's seeds. Rated games have a
    separate tournament, so that its standings are the ratings. Each game is a block, and games
    come in pairs with the seats swapped, as everywhere; the person sits first in the first of them.

    A bot that has changed since it played is entered as NAME@2. A tournament that the record
    lacks is entered by whoever adds the game (`Store.extend`): the game may come to nothing.

    Raises:
        RecordError: If the record has a conflicting tournament.
    """
    nobody = Tournament(name="", kind="play", rules=rules, seed="", settings=SETTINGS, entrants=())
    name = f"{'rated' if options.rated else 'play'}-{name_tournament(nobody).name}"
    begun = name in store.tournament_names()
    known = store.tournament(name).entrants if begun else ()
    entrants = tuple(_as_known(entrant, known) for entrant in who)
    tournament = replace(nobody, name=name, entrants=entrants)
    if begun:  # a conflict is reported before the game, not after it
        store.extend(tournament)
    person, bot = (entrant.name for entrant in entrants)
    return tournament, _next_block(tournament, store.played(name), (person, bot), options)


def _as_known(entrant: Entrant, known: Iterable[Entrant]) -> Entrant:
    digests = {one.name: one.digest for one in known}
    name, version = entrant.name, 1
    while digests.get(name, entrant.digest) != entrant.digest:
        version += 1
        name = f"{entrant.name}@{version}"
    return replace(entrant, name=name)


def _next_block(
    tournament: Tournament,
    played: Collection[tuple[tuple[str, ...], int]],
    who: tuple[str, str],
    options: GameOptions,
) -> Block:
    pairing = (min(who), max(who))
    for pair in itertools.count():
        for place in ("first", "second") if options.seat is None else (options.seat,):
            seats = who if place == "first" else who[::-1]
            number = 2 * pair + (seats != pairing)
            if (pairing, number) not in played:
                seeds = _seeds(tournament.rules, seats, pair, options.seed)
                identity = msgspec.json.encode([tournament.name, *seats, pair])
                game = hashlib.sha256(identity).hexdigest()[:16]
                return Block(pairing, number, (Fixture(game, *seats, pair, seeds),))
    raise AssertionError("there is always another game")


def _seeds(rules: Rules, seats: tuple[str, str], pair: int, seed: int | None) -> tuple[int, int]:
    if seed is not None:
        return Seeds(seed, rules).of_game(*seats, pair)
    # The seeds must not be predictable, or the person could work out where the bot's ships lie.
    random = SystemRandom()
    return random.getrandbits(SEED_BITS), random.getrandbits(SEED_BITS)


def play_human_game(
    block: Block, rules: Rules, players: Mapping[str, Player], isolation: Choice
) -> BlockRecord:
    """Play a game and return its record; the players are stopped at the end."""
    [fixture] = block.fixtures
    try:
        game = play_game(fixture, rules, SETTINGS, players)
    finally:
        for player in players.values():
            player.stop()
    return with_checksum(BlockRecord(block, (game,), isolation.to_json(), origin=origin_of({})))
