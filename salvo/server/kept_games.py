"""Finds games wherever they are kept: in the record, and with people's own."""

import contextlib
from random import Random

from msgspec.structs import replace

from arena.errors import RecordError
from arena.league import League
from arena.player.person import Sight
from arena.records import Game
from arena.resumed_game import from_line
from arena.rules import Rules, draw
from salvo.reports.pages.game_frames import renamed_game
from salvo.server.database.challenges import Challenges
from salvo.server.database.human_games import PERSON, HumanGame, HumanGames
from salvo.server.database.server_database import is_served
from salvo.server.errors import Refusal
from salvo.server.leagues import opened

SHOWN = "A person"
"""As what pages that others see have a person."""

_COPIED = 8
"""Letters of an id that people copy at least."""


def recorded_game(league: League, identifier: str) -> tuple[Game, Rules]:
    """Return a game of the record, one of a person that is over, or of a challenge.

    Raises:
        Refusal: If there is none with this id.
    """
    with opened(league.record) as store:
        if store is not None and len(identifier) >= _COPIED:
            with contextlib.suppress(RecordError):
                return store.game(identifier)
    if is_served(league.folder):
        with HumanGames(league.folder) as games:
            found = games.find(identifier)
        if found is not None and found.game is not None:
            return found.game, league.charter.rules
        with Challenges(league.folder) as challenges:
            played = challenges.game(identifier)
        if played is not None:
            return played, league.charter.rules
    raise Refusal(404, "there is no such game")


def published(game: Game) -> Game:
    """Return a game without what a bot wrote to stderr, whose end is in the reason of a forfeit."""
    reason = game.reason if game.forfeit is None else f"{game.termination}"
    return replace(game, reason=reason, stderr="")


def as_shown(game: Game) -> Game:
    """Return a game as pages show it: published, with a person in it called one."""
    return renamed_game(published(game), {PERSON: SHOWN})


def sight_of(game: HumanGame, rules: Rules, number: int | None = None) -> Sight:
    """Return a game as its person sees it at this moment, or after so many actions."""
    layout = None
    if game.fixture.second is None:
        layout = draw(rules, Random(game.fixture.seeds[1]))
    sight = Sight(rules, game.seat, layout)
    for line in game.actions[:number]:
        assert sight.state.request is not None
        sight.take(from_line(line, sight.state.request))
    return sight
