"""Lets authors challenge other bots, and everybody watch."""

from typing import Annotated, Any

from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arena.records import Game
from leaderboards.display.replay_frames import plain_replay
from leaderboards.display.templating import as_data
from salvo.server.database.challenges import A_DAY, PAIRS, Challenge, Challenges
from salvo.server.database.keys import Visitor
from salvo.server.database.server_database import Database
from salvo.server.errors import Refusal
from salvo.server.kept_games import recorded_game
from salvo.server.web import shown_games
from salvo.server.web.channels import Channel, Channels, OnAir, Progress
from salvo.server.web.endpoints import Endpoint, GameId, Name
from salvo.server.web.handling import Context, allowed
from salvo.server.web.opponents import Opponent, opponents
from salvo.server.web.rendering import Rendering

_SALVO_S, _LONGEST_S, _PAUSE_S = 0.5, 30.0, 2.0
"""Ten games are watched in minutes."""


class NewChallenge(Struct, forbid_unknown_fields=True):
    """Who meets whom: an own bot by its name, and another version."""

    bot: Name
    opponent: Annotated[str, Meta(max_length=60)]


class Begun(Struct):
    """Where a challenge is watched."""

    page: str


class Score(Struct):
    """A challenge: how far it is, and who won how many games so far."""

    bot: str
    opponent: str
    state: str
    reason: str
    games: int
    won: int
    lost: int


class Challenging:
    """Makes the pages of challenges, and begins them."""

    def __init__(self, context: Context, rendering: Rendering) -> None:
        self._context, self._page = context, rendering.page
        self._authentication = context.authentication
        self._channels = Channels()

    def routes(self) -> list[Route]:
        """Return what this answers."""
        reader = self._authentication.reader
        return [
            Route("/challenge", self._choose),
            Route("/challenges/{id}", allowed(reader, self._watch)),
        ]

    def endpoints(self) -> list[Endpoint]:
        """Return what is described."""
        by_id: dict[str, Any] = {
            "parameters": {"id": GameId},
            "access": self._authentication.reader,
        }
        return [
            Endpoint(path="/api/challenges", handler=self.begin, body=NewChallenge, answers=Begun),
            Endpoint(path="/api/challenges/{id}", handler=self.score, answers=Score, **by_id),
            Endpoint(path="/api/challenges/{id}/live", handler=self.live, answers=OnAir, **by_id),
        ]

    def _author(self, request: Request) -> Visitor:
        visitor = self._authentication.visitor(request)
        if not visitor.names:
            raise Refusal(403, "challenges are for authors: open the secret link of your bot")
        return visitor

    def _bots(self, db: Database, visitor: Visitor) -> tuple[list[Opponent], list[Opponent]]:
        """Return the own bots of an author, and whom they may meet."""
        met = opponents(db, self._context.league(), visitor, closed=self._context.closed)
        own = [one for one in met if one.kind == "own"]
        return own, [one for one in met if one.kind != "own"]

    def _choose(self, request: Request) -> Response:
        visitor = self._author(request)
        with self._context.database() as db, Challenges(self._context.folder) as challenges:
            own, others = self._bots(db, visitor)
            begun = challenges.by_author([_author_of(visitor)])
        return self._page(
            "challenge.html.j2",
            own=own,
            others=others,
            begun=begun,
            a_day=A_DAY,
            games=2 * PAIRS,
            shut=self._context.closed,
        )

    def begin(self, request: Request, asked: NewChallenge) -> Begun:
        """Let an own bot meet another, now: ten games that nobody rates."""
        visitor = self._author(request)
        with self._context.database() as db, Challenges(self._context.folder) as challenges:
            own, others = self._bots(db, visitor)
            bot = next((one.bot for one in own if one.name == asked.bot), None)
            if bot is None:
                raise Refusal(403, f"{asked.bot!a} is no bot of yours that plays here now")
            if asked.opponent not in {one.bot for one in others}:
                raise Refusal(403, f"{asked.opponent!a} cannot be challenged")
            found = challenges.begin(_author_of(visitor), bot, asked.opponent)
        return Begun(f"/challenges/{found}")

    def _found(self, request: Request) -> tuple[Challenge, list[Game]]:
        identifier = request.path_params["id"]
        with Challenges(self._context.folder) as challenges:
            found = challenges.find(identifier)
            if found is None:
                raise Refusal(404, "there is no such challenge; they are kept for a week")
            return found, challenges.games(identifier)

    def score(self, request: Request) -> Score:
        """Return how far a challenge is."""
        found, games = self._found(request)
        return _score(found, games)

    def _now(self, request: Request) -> OnAir | None:
        found, _ = self._found(request)

        def games() -> list[str]:
            with Challenges(self._context.folder) as challenges:
                return [game.fixture.id for game in challenges.games(found.id)]

        def progress(game: str) -> Progress:
            found, _ = recorded_game(self._context.league(), game)
            return Progress(shown_games.count_salvos(found.steps), "over")

        def make() -> Channel:
            return Channel(
                games,
                progress,
                salvo_s=_SALVO_S,
                longest_s=_LONGEST_S,
                pause_s=_PAUSE_S,
            )

        return self._channels.get(found.id, make).now()

    def live(self, request: Request) -> OnAir:
        """Return which game of a challenge is shown live, and where it stands."""
        now = self._now(request)
        if now is None:
            raise Refusal(404, "no game was played yet")
        return now

    def _watch(self, request: Request) -> Response:
        found, games = self._found(request)
        now = self._now(request)
        replays = []
        if now is not None:
            game, rules = recorded_game(self._context.league(), now.game)
            every = shown_games.replays_of(game, rules)
            replays = [*every[1:], *every[:1]]
        numbers = [game.fixture.id for game in games]
        return self._page(
            "watch_challenge.html.j2",
            challenge=found,
            score=_score(found, games),
            number=0 if now is None else 1 + numbers.index(now.game),
            most=2 * PAIRS,
            id=now and now.game,
            replays=replays,
            watched=[(one.key, as_data(plain_replay(one))) for one in replays],
            rows=[
                {
                    "id": game.fixture.id,
                    "first": game.fixture.first,
                    "winner": "a draw"
                    if game.result == "draw"
                    else game.fixture.seats[game.result],
                    "forfeit": game.forfeit,
                    "termination": str(game.termination),
                    "turns": max(tally.turns for tally in game.tallies),
                }
                for game in games
            ],
        )


def _author_of(visitor: Visitor) -> int:
    """Return the key by which an author's challenges are counted."""
    return visitor.invites[0].id if visitor.invites else visitor.keys[0].id


def _score(found: Challenge, games: list[Game]) -> Score:
    winners = [game.fixture.seats.get(game.result) for game in games if game.result != "draw"]
    return Score(
        found.bot,
        found.opponent,
        found.state,
        found.reason,
        len(games),
        winners.count(found.bot),
        winners.count(found.opponent),
    )
