"""Reads games for pages and the API, without what is for the author of a bot alone."""

from collections.abc import Sequence
from dataclasses import replace as with_fields
from typing import Any

from msgspec import Struct
from msgspec.structs import astuple

from arena.league import League
from arena.records import Game, ShootStep
from arena.rules import Rules, unusual
from arena.rules.rule_features import CERTAIN
from arena.store import Summary
from leaderboards.display.replay_frames import Frame, Mark, Replay
from salvo.reports.pages.game_replay import replay_of
from salvo.server.errors import Refusal
from salvo.server.kept_games import as_shown, published, recorded_game
from salvo.server.leagues import opened, without_place

_SHOWN_FORFEITS = 20
_SEEN = CERTAIN | {"fleet_known", "reshoot"}
"""Features of rules by which reports say for good what lies on each cell shot."""


class GameRow(Struct):
    """A game as a row of a table; of a solo game, ``second`` is None."""

    id: str
    first: str
    second: str | None
    winner: str | None
    termination: str
    forfeit: str | None
    turns: int


def versions_of(league: League, name: str) -> list[str]:
    """Return the versions of a bot, by their names in the record.

    Raises:
        Refusal: If it has none.
    """
    found = [entry.full_name for entry in league.entries if entry.name == name]
    if not found:
        raise Refusal(404, f"no bot of this league is called {name[:60]!a}")
    return found


def recent(
    league: League, *, name: str | None = None, before: int | None = None, most: int = 50
) -> list[Summary]:
    """Return games, newest first: all, or those of one bot.

    Raises:
        Refusal: If there is no such bot.
    """
    entrants = None if name is None else versions_of(league, name)
    with opened(league.record) as store:
        if store is None:
            return []
        return store.recent_games("league", entrants=entrants, before=before, most=most)


def count_salvos(game: Game) -> int:
    """Return how many salvos were fired in a game."""
    return sum(isinstance(step, ShootStep) for step in game.steps)


def game_rows(games: Sequence[Summary]) -> list[GameRow]:
    """Return games as rows of a table."""
    return [
        GameRow(
            game.id,
            game.first,
            game.second,
            {"first": game.first, "second": game.second or "the layout"}.get(game.result),
            str(game.termination),
            game.forfeit,
            game.turns,
        )
        for game in games
    ]


def plain_game(game: Game, rules: Rules) -> dict[str, Any]:
    """Return a game as data that JSON can hold, without seeds and what bots wrote to stderr."""
    shown = published(game)
    return {
        "id": shown.fixture.id,
        "rules": rules.name,
        "rows": rules.rows,
        "columns": rules.columns,
        "first": shown.fixture.first,
        "second": shown.fixture.second,
        "pair": shown.fixture.pair,
        "result": shown.result,
        "termination": str(shown.termination),
        "forfeit": shown.forfeit,
        "layouts": shown.layouts,
        "steps": [[step.__struct_config__.tag, *astuple(step)] for step in shown.steps],
    }


def replays_of(game: Game, rules: Rules) -> list[Replay]:
    """Return a game as it was, and as each of the two saw it where reports name the cells."""
    whole = replay_of(as_shown(game), rules, None)
    # What is said of posteriors names a command; here there is none.
    legend = [line for line in whole.legend if "--posterior" not in line]
    whole = with_fields(whole, label="Both boards", legend=legend)
    fixture = game.fixture
    seen = unusual(rules) <= _SEEN
    if fixture.second is None or not seen or not whole.frames:
        return [whole]
    seats = (("first", 1, fixture.first), ("second", 0, fixture.second))
    silent = rules.sinkings == "silent"
    return [
        whole,
        *(
            with_fields(
                whole,
                key=key,
                label=f"As {name} saw it",
                frames=[_seen(frame, hidden, silent=silent) for frame in whole.frames],
            )
            for key, hidden, name in seats
        ),
    ]


def _seen(frame: Frame, hidden: int, *, silent: bool) -> Frame:
    """Return a frame without the ships on one of its boards, as far as they were not hit."""
    told: dict[Mark, Mark] = {"ship": "water", **({"sunk": "hit"} if silent else {})}
    panels = [
        with_fields(panel, marks=[told.get(mark, mark) for mark in panel.marks])
        if place == hidden
        else panel
        for place, panel in enumerate(frame.panels)
    ]
    return Frame(frame.lines, panels)


def forfeits(league: League, name: str, most: int = _SHOWN_FORFEITS) -> list[dict[str, str]]:
    """Return the latest forfeits of a bot with what it wrote to stderr, for its author alone."""
    versions = set(versions_of(league, name))
    found = []
    lost = [
        game
        for game in recent(league, name=name, most=2000)
        if game.forfeit and (game.first if game.forfeit == "first" else game.second) in versions
    ]
    for one in lost[:most]:
        game, _ = recorded_game(league, one.id)
        found.append(
            {
                "id": one.id,
                "how": str(game.termination),
                "reason": without_place(game.reason, league.folder),
                "stderr": without_place(game.stderr, league.folder),
            }
        )
    return found
