"""Plays games and blocks of games between players, and records them."""

import logging
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import Protocol

from msgspec.structs import replace

from arena import protocol
from arena.bot import Bot
from arena.errors import IllegalActionError
from arena.player import UNHURRIED, Fault, InProcessPlayer, Outage, Player, Unsure
from arena.records import Block, Fixture, Game, Settings, Termination, Void
from arena.rules import Layout, Rules, Seat, view
from arena.scorebook import Scorebook

FORFEITS_BEFORE_BARRED = 3

VOIDS_BEFORE_FORFEIT = 2
"""How many void games per block an entrant may cause; the next one is a forfeit."""

Redraw = Callable[[Fixture, int], tuple[int, int]]
"""Returns the seeds of a game's later attempt."""

_log = logging.getLogger(__name__)


class Observer(Protocol):
    """Follows games as they are played, without any say in them.

    It is called between the answers of players, on nobody's time; it must not raise, nor wait.
    """

    def acted(self, book: Scorebook) -> None:
        """Take note that somebody placed, shot, moved or answered in a game."""

    def ended(self, outcome: Game | Void) -> None:
        """Take note that the game ended, or is void."""


def play_block(  # noqa: PLR0913 - what a block is played by, and who follows it
    block: Block,
    rules: Rules,
    settings: Settings,
    players: Mapping[str, Player],
    redraw: Redraw,
    *,
    observer: Observer | None = None,
) -> tuple[tuple[Game, ...], tuple[Void, ...]]:
    """Play the games of a block in order, with the same players.

    An entrant that has forfeited ``FORFEITS_BEFORE_BARRED`` games forfeits the rest unplayed. A
    game in which a player was starved of the processor, or apparently killed from outside, is void:
    earlier games stand, and it is replayed with fresh processes and other seeds, since with the
    same ones a bot that left itself a note would know its opponent's layout. After
    ``VOIDS_BEFORE_FORFEIT`` void games of an entrant, the next one is a forfeit. At an
    outage of one of the block's ``excused`` entrants the block is broken off.

    The players, by entrant, are started here and stopped at the end; ``redraw`` returns the seeds
    of later attempts. Games are the same with and without an observer.
    """
    forfeits: Counter[str] = Counter()
    games: list[Game] = []
    voids: list[Void] = []
    try:
        for scheduled in block.fixtures:
            fixture = scheduled
            game = _barred(fixture, rules, forfeits)
            while game is None:
                used = Counter(void.entrant for void in voids)
                spared = [name for name in players if used[name] < VOIDS_BEFORE_FORFEIT]
                outcome = _attempt(
                    Scorebook(fixture, rules),
                    settings,
                    players,
                    spared,
                    excused=block.excused,
                    observer=observer,
                )
                if observer is not None:
                    observer.ended(outcome)
                if isinstance(outcome, Game):
                    game = outcome
                else:
                    voids.append(outcome)
                    if outcome.outage:
                        return tuple(games), tuple(voids)
                    _report(outcome, block)
                    _stop(players)
                    attempt = fixture.attempt + 1
                    fixture = replace(fixture, seeds=redraw(fixture, attempt), attempt=attempt)
            if game.forfeit is not None:
                loser = game.fixture.seats[game.forfeit]
                forfeits[loser] += 1
                _log.info("%s forfeits: %s: %s", loser, game.termination, game.reason)
            games.append(game)
    finally:
        _stop(players)
    return tuple(games), tuple(voids)


def _report(void: Void, block: Block) -> None:
    names = " and ".join(block.entrants)
    _log.warning("a game of %s is void and played again: %s %s", names, void.entrant, void.reason)


def _stop(players: Mapping[str, Player]) -> None:
    for player in players.values():
        player.stop()


def _barred(fixture: Fixture, rules: Rules, forfeits: Counter[str]) -> Game | None:
    """Return the game as forfeited unplayed if a player is barred; None if not. Never both are."""
    for seat, name in fixture.seats.items():
        if forfeits[name] >= FORFEITS_BEFORE_BARRED:
            reason = f"it had forfeited {FORFEITS_BEFORE_BARRED} games of this block"
            book = Scorebook(fixture, rules)
            return book.record(seat, Fault(Termination.BARRED, reason))
    return None


def play_game(
    fixture: Fixture,
    rules: Rules,
    settings: Settings,
    players: Mapping[str, Player],
    *,
    layout: Layout | None = None,
) -> Game:
    """Play one game; the first fault ends it, and its seat loses by forfeit.

    The players, by entrant, are started if necessary, and not stopped at the end. In solo, the
    layout to shoot at is drawn with the second seed if it is None.
    """
    return play_in(Scorebook(fixture, rules, layout), settings, players)


def play_in(book: Scorebook, settings: Settings, players: Mapping[str, Player]) -> Game:
    """Play the game of a scorebook that is at its beginning; see ``play_game``."""
    game = _attempt(book, settings, players, spared=())
    assert isinstance(game, Game)
    return game


def play_bots(
    bots: Sequence[Bot],
    rules: Rules,
    *,
    seeds: tuple[int, int] = (0, 1),
    layout: Layout | None = None,
    settings: Settings = UNHURRIED,
) -> Game:
    """Play one game between bots in this process, and return its record.

    It is refereed like any other: a bot that fails or cheats forfeits, and the record says why.
    State that a bot keeps on ``self`` lasts into the next game. For many games of the same bots,
    ``play_game`` with an ``arena.player.InProcessPlayer`` for each saves repeated introductions.

    Of two bots the first shoots first; one shoots alone at ``layout``, which is drawn with the
    second seed if it is None.
    """
    players: dict[str, Player] = {
        name: InProcessPlayer(partial(_itself, bot), view(rules), settings)
        for name, bot in zip(("first", "second"), bots, strict=False)
    }
    fixture = Fixture("game", "first", "second" if "second" in players else None, 0, seeds)
    return play_game(fixture, rules, settings, players, layout=layout)


def _itself(bot: Bot) -> Bot:
    return bot


def _attempt(  # noqa: PLR0913 - see `play_block`
    book: Scorebook,
    settings: Settings,
    players: Mapping[str, Player],
    spared: Collection[str],
    *,
    excused: Collection[str] = (),
    observer: Observer | None = None,
) -> Game | Void:
    """Play one game.

    It is void if an ``Unsure`` fault of an entrant in ``spared`` ends it: if that is an ``Outage``,
    of one in ``excused``.
    """
    fixture = book.fixture
    playing: dict[Seat, Player] = {}
    seat: Seat = "first"
    try:
        for seat, name in fixture.seats.items():
            player = players[name]
            playing[seat] = player
            player.start()
            player.begin(_opening(fixture, seat, book.rules, settings))
        while (request := book.state.request) is not None:
            seat = request.seat
            reply = playing[seat].ask(request, book.news_for(request))
            book.play(reply.action, reply.charge_s)
            if fixture.second is None:
                book.answer_for_layout()
            if observer is not None:
                observer.acted(book)
        fault = None
    except Fault as verdict:
        entrant = fixture.seats[seat]
        outage = isinstance(verdict, Outage)
        if isinstance(verdict, Unsure) and entrant in (excused if outage else spared):
            return Void(fixture.id, fixture.attempt, entrant, verdict.reason, outage)
        fault = verdict
    except IllegalActionError as error:
        fault = Fault(Termination.ILLEGAL, str(error))
    game = book.record(seat, fault)
    if fault is not None:
        game = replace(game, stderr=playing.pop(seat).stop(fault))
    told = {seat: player.end(book.ending(seat, game)) for seat, player in playing.items()}
    reported = {seat: dict(numbers) for seat, numbers in told.items() if numbers}
    return replace(game, reported=reported) if reported else game


def _opening(fixture: Fixture, seat: Seat, rules: Rules, settings: Settings) -> protocol.Game:
    alone = fixture.second is None
    return protocol.Game(
        rules=view(rules, places=not alone),
        seat=seat,
        seed=fixture.seeds[0 if seat == "first" else 1],
        solo=alone,
        limits=protocol.Limits(settings.move_s, settings.game_s, settings.load_s),
    )
