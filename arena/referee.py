"""Plays one game, or one block of games, between players, and records it."""

import logging
from collections import Counter
from collections.abc import Mapping

from arena.errors import IllegalActionError
from arena.player import Fault, Player, Unsure
from arena.protocol import Game as Opening
from arena.protocol import Limits
from arena.records import Block, Fixture, Game, Settings, Termination
from arena.rules import Rules, Seat, view
from arena.scorebook import Scorebook

__all__ = ["FORFEITS_BEFORE_BARRED", "play_block", "play_game"]

FORFEITS_BEFORE_BARRED = 3

_log = logging.getLogger(__name__)


def play_block(
    block: Block, rules: Rules, settings: Settings, players: Mapping[str, Player]
) -> tuple[Game, ...]:
    """Play the games of a block in order.

    Where the seats are swapped, players are begun anew: in the second game of a pair a bot has the
    seed that its opponent had in the first, and could tell from it where ships lie.

    An entrant that has forfeited ``FORFEITS_BEFORE_BARRED`` games forfeits the rest unplayed.
    A block in which a player was starved of the processor, or killed from outside, is void and
    played once more, from its beginning and by fresh processes; if that happens again, it is a
    forfeit.

    Args:
        block: The games to play.
        rules: The rules to play by.
        settings: The time that players have.
        players: Who plays, by entrant; they are started here and stopped at the end.
    """
    try:
        return _play_all(block, rules, settings, players, may_void=True)
    except Unsure as fault:
        _log.warning("a block of %s is void: %s", " and ".join(block.entrants), fault.reason)
    return _play_all(block, rules, settings, players, may_void=False)


def _play_all(
    block: Block,
    rules: Rules,
    settings: Settings,
    players: Mapping[str, Player],
    *,
    may_void: bool,
) -> tuple[Game, ...]:
    forfeits: Counter[str] = Counter()
    games = []
    first = block.fixtures[0].first
    try:
        for fixture in block.fixtures:
            if fixture.first != first:
                first = fixture.first
                _stop(players)
            game = _barred(fixture, rules, forfeits)
            if game is None:
                game = play_game(fixture, rules, settings, players, may_void=may_void)
            if game.forfeit is not None:
                loser = _entrant(fixture, game.forfeit)
                forfeits[loser] += 1
                _log.info("%s forfeits: %s: %s", loser, game.termination, game.reason)
            games.append(game)
    finally:
        _stop(players)
    return tuple(games)


def _stop(players: Mapping[str, Player]) -> None:
    for player in players.values():
        player.stop()


def _entrant(fixture: Fixture, seat: Seat) -> str:
    entrant = fixture.first if seat == "first" else fixture.second
    assert entrant is not None
    return entrant


def _barred(fixture: Fixture, rules: Rules, forfeits: Counter[str]) -> Game | None:
    """Return the game as forfeited unplayed if one of its players is barred; never both are."""
    for seat in _seats(fixture):
        if forfeits[_entrant(fixture, seat)] >= FORFEITS_BEFORE_BARRED:
            reason = f"it had forfeited {FORFEITS_BEFORE_BARRED} games of this block"
            book = Scorebook(fixture, rules)
            return book.record(seat, Fault(Termination.BARRED, reason))
    return None


def _seats(fixture: Fixture) -> tuple[Seat, ...]:
    return ("first",) if fixture.second is None else ("first", "second")


def play_game(
    fixture: Fixture,
    rules: Rules,
    settings: Settings,
    players: Mapping[str, Player],
    *,
    may_void: bool = False,
) -> Game:
    """Play one game; the first fault ends it, and its seat loses by forfeit.

    Raises:
        Unsure: If something outside may be to blame, and ``may_void``; else that is a fault
            like another.
    """
    book = Scorebook(fixture, rules)
    playing: dict[Seat, Player] = {}
    seat: Seat = "first"
    try:
        for seat in _seats(fixture):
            player = players[_entrant(fixture, seat)]
            playing[seat] = player
            player.start()
            player.begin(_opening(fixture, rules, settings, seat))
        while book.state.request is not None:
            request = book.state.request
            seat = request.seat
            reply = playing[seat].ask(request, book.news_for(request))
            book.play(reply.action, reply.charge_s)
            book.answer_for_layout()
        fault = None
    except Fault as verdict:
        if may_void and isinstance(verdict, Unsure):
            raise
        fault = verdict
    except IllegalActionError as error:
        fault = Fault(Termination.ILLEGAL, str(error))
    game = book.record(seat, fault)
    if fault is not None:
        playing.pop(seat).stop(fault)
    for seat, player in playing.items():
        player.end(book.ending(seat, game))
    return game


def _opening(fixture: Fixture, rules: Rules, settings: Settings, seat: Seat) -> Opening:
    return Opening(
        rules=view(rules, places=fixture.second is not None),
        seat=seat,
        seed=fixture.seeds[0 if seat == "first" else 1],
        solo=fixture.second is None,
        limits=Limits(settings.move_s, settings.game_s, settings.load_s),
    )
