"""Reads games for pages and the API, without what is for the author of a bot alone."""

from collections.abc import Collection, Sequence
from dataclasses import replace as with_fields
from typing import Any

from msgspec import Struct
from msgspec.structs import astuple

from arena.league import League
from arena.records import Game, ShootStep, Step
from arena.replay import Played
from arena.rules import Rules, unusual
from arena.rules.rule_features import CERTAIN
from arena.store import Summary
from leaderboards.display.replay_frames import Frame, Mark, Replay
from salvo.reports.pages.game_frames import replay_so_far, reported_salvos
from salvo.reports.words.game_text import describe_end
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


def count_salvos(steps: Sequence[Step]) -> int:
    """Return how many salvos were fired by some steps of a game."""
    return sum(isinstance(step, ShootStep) for step in steps)


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
    from salvo.reports.pages.game_replay import replay_of  # noqa: PLC0415 - it needs numpy

    shown = as_shown(game)
    whole = replay_of(shown, rules, None)
    # What is said of posteriors names a command; here there is none.
    legend = [line for line in whole.legend if "--posterior" not in line]
    return _views(with_fields(whole, legend=legend), shown, rules)


def replays_so_far(game: Played, rules: Rules, after: int = 0) -> list[Replay]:
    """Return a game in play as it is, and as each of the two sees it: see ``replays_of``.

    Its salvos are those after the first so many.
    """
    return _views(replay_so_far(game, rules, after=after), game, rules, after)


def replays_of_both(game: Played, rules: Rules, over: Game | None, after: int = 0) -> list[Replay]:
    """Return a game as far as both players know it, where reports name the cells; else nothing.

    ``over`` is its record, if it is over.
    """
    if not shows_reports(rules):
        return []
    end = None if over is None else f"{describe_end(as_shown(over))}."
    whole = replay_so_far(game, rules, end=end, after=after)
    reported = reported_salvos(game, rules, after)
    return [_seen(whole, (0, 1), reported, rules, "What both know")]


def shows_reports(rules: Rules) -> bool:
    """Return whether reports name the cells that were hit, for good."""
    return unusual(rules) <= _SEEN


def _views(whole: Replay, game: Played, rules: Rules, after: int = 0) -> list[Replay]:
    whole = with_fields(whole, label="Both boards")
    fixture = game.fixture
    if fixture.second is None or not shows_reports(rules) or not whole.frames:
        return [whole]
    reported = reported_salvos(game, rules, after)
    seats = (("first", 1, fixture.first), ("second", 0, fixture.second))
    return [
        whole,
        *(
            with_fields(_seen(whole, (hidden,), reported, rules, f"As {name} saw it"), key=key)
            for key, hidden, name in seats
        ),
    ]


def _seen(
    whole: Replay, hidden: Collection[int], reported: Sequence[str], rules: Rules, label: str
) -> Replay:
    """Return a game without the ships on some of its boards, as far as no report told of them."""
    told: dict[Mark, Mark] = {"ship": "water"}
    if rules.sinkings != "named":
        told["sunk"] = "hit"  # nobody said of which ship it was
    frames = []
    for frame, words in zip(whole.frames, reported, strict=True):
        panels = [
            with_fields(panel, marks=[told.get(mark, mark) for mark in panel.marks], hidden=True)
            if place in hidden
            else panel
            for place, panel in enumerate(frame.panels)
        ]
        frames.append(Frame([frame.lines[0], words, *frame.lines[2:]], panels))
    return with_fields(whole, label=label, frames=frames)


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
