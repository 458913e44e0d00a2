"""The report of a tournament as one HTML page: leaderboards, games to watch, a section per bot."""

import json
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from arena.rules import Rules, row_name
from arena.store import Look, Store, Tournament
from leaderboards import Ratings
from leaderboards.display import html_page
from leaderboards.display.cells import interval, number
from leaderboards.display.heat_maps import HeatMap
from leaderboards.display.html_page import Profile, Section, Table
from leaderboards.display.replay_frames import Replay
from salvo.conditions import MATCHING
from salvo.reports.pages.featured_games import featured_games
from salvo.reports.pages.game_replay import renamed_game, replay_of
from salvo.reports.pages.posteriors import QUICK_EFFORT
from salvo.reports.tables.survey import Places, Survey, latency, survey
from salvo.reports.words.confidence import describe_rank
from salvo.reports.words.faults import (
    count_forfeits,
    describe_latency,
    faults_section,
    forfeits_by,
    of_bot,
)
from salvo.reports.words.provenance import describe_bot, introductions, provenance, repeat_command
from salvo.reports.work_progress import Progress, no_progress

_QUICK_CELLS = 144
"""Cells of a board on which the posteriors of a game take seconds, not minutes."""

_WITH_POSTERIOR = ("closest", "upset", "solo")
"""The games whose posteriors are shown: each takes seconds where one shot is fired a turn."""


@dataclass(frozen=True, slots=True)
class Played:
    """What was played of a tournament, and counts.

    Attributes:
        games: The two-player games, one a row.
        searches: The solo games, one a row.
        ratings: Who is better in two-player games; None where none were played.
        turns: How many turns each bot takes alone; None where no solo games were played.
        solo: The solo games as the leaderboards want them.
        names: Under which name a bot is shown, where that differs from its name in the record.
    """

    tournament: Tournament
    bots: Sequence[str]
    games: pd.DataFrame
    searches: pd.DataFrame
    ratings: Ratings | None
    turns: pd.DataFrame | None
    solo: pd.DataFrame
    names: Mapping[str, str] = field(default_factory=dict)
    further: Sequence[Section] = ()

    @property
    def all_games(self) -> pd.DataFrame:
        """All games, those of two bots first."""
        return pd.concat([self.games, self.searches], ignore_index=True)


def report_page(  # noqa: PLR0913 - three of them are words for the top and the end of the page
    played: Played,
    store: Store,
    *,
    title: str,
    about: str,
    isolation: str,
    settings: Mapping[str, object],
    progress: Progress = no_progress,
) -> str:
    """Return the report of a tournament as one HTML page."""
    tournament, games = played.tournament, played.all_games
    name = tournament.name
    counted = set(games["id"])
    found = survey(progress(store.each_game(name), len(counted), "games"), counted, played.names)
    origins = store.origins(name)
    facts = provenance(tournament, origins, played.bots, isolation, played.names)
    facts["Forfeits"] = count_forfeits(games)
    command = repeat_command(tournament, *_amounts(played, store.looks(name)), _levels(store, name))
    if command is not None:
        facts["To repeat"] = f"$ {command}"
    return html_page.html(
        ratings=played.ratings,
        turns=played.turns,
        solo=played.solo,
        settings=settings,
        title=title,
        about=about,
        facts=facts,
        replays=_replays(played, store, progress),
        further=played.further,
        closing=[
            faults_section(games, played.bots, found, tournament.settings, store.voids(name)),
        ],
        profiles=_profiles(played, found, store),
    )


def _levels(store: Store, name: str) -> list[str]:
    told = [json.loads(record) for record in store.isolation_levels(name)]
    return sorted({record["level"] for record in told if "level" in record})


def _amounts(played: Played, looks: Sequence[Look]) -> tuple[int, int]:
    """Return how many games a pairing and solo games a bot were asked for, as far as played.

    Where results decide who meets whom, games are those of a bot.
    """
    pairs, layouts = played.games["pair"], played.searches["pair"]
    games = 2 * (int(pairs.max()) + 1) if len(pairs) else 0
    if played.tournament.kind in MATCHING:
        games = 2 * max((look.pairs for look in looks), default=0)
    return games, int(layouts.max()) + 1 if len(layouts) else 0


def _replays(played: Played, store: Store, progress: Progress) -> list[Replay]:
    alone = [] if played.turns is None else [str(bot) for bot in played.turns["bot"]]
    replays = []
    for featured in featured_games(played.games, played.searches, played.ratings, alone):
        game, rules = store.game(featured.id)
        shown = featured.key in _WITH_POSTERIOR and rules.cells <= _QUICK_CELLS
        effort = QUICK_EFFORT if shown else None
        game = renamed_game(game, played.names)
        replays.append(replay_of(game, rules, effort, featured=featured, progress=progress))
    return replays


def _profiles(played: Played, found: Survey, store: Store) -> list[Profile]:
    tournament = played.tournament
    said = introductions(store.origins(tournament.name), played.names)
    digests = {
        played.names.get(entrant.name, entrant.name): entrant.digest
        for entrant in tournament.entrants
    }
    lost = forfeits_by(played.all_games)
    profiles = []
    for bot in played.bots:
        own = said.get(bot)
        calls_itself = f"It calls itself {own.name}." if own and own.name != bot else ""
        content = f"Content {digests[bot][:12]}." if bot in digests else ""
        forfeits = of_bot(lost, bot)
        tables = against_each(played.ratings, bot)
        tables += [Table("Forfeits", forfeits)] if forfeits else []
        profiles.append(
            Profile(
                bot=bot,
                sentences=[
                    " ".join(filter(None, [f"{describe_bot(bot, own)}.", calls_itself, content])),
                    *_standing(played, bot),
                    *_pace(found, bot),
                ],
                tables=tables,
                heat_maps=_heat_maps(found, bot, tournament.rules),
            )
        )
    return profiles


def _standing(played: Played, bot: str) -> list[str]:
    told = []
    if played.ratings is not None and bot in set(played.ratings.table["bot"]):
        told.append(describe_rank(played.ratings, bot))
    if played.turns is not None:
        for row in played.turns.to_dict("records"):
            if row["bot"] == bot:
                games = "one game" if row["games"] == 1 else f"{row['games']} games"
                told.append(
                    f"Alone it took {row['mean_turns']:.2f} turns on average to sink the fleet, in "
                    f"{games}: number {row['rank']} of {len(played.turns)}."
                )
    return told


def _pace(found: Survey, bot: str) -> list[str]:
    taken = latency(found.answers[bot]) if bot in found.answers else None
    if taken is None:
        return []
    told = describe_latency(taken)
    first = f"Of its {told['answers']} answers half took up to {told['median']}"
    return [f"{first}, 95% up to {told['95% within']}; the slowest took {told['slowest']}."]


def against_each(ratings: Ratings | None, bot: str) -> list[Table]:
    """Return how a bot did against each other, as a table; none where it met nobody."""
    if ratings is None:
        return []
    order = {str(name): place for place, name in enumerate(ratings.table["bot"])}
    met = ratings.pairings[ratings.pairings["bot"] == bot]
    rows = sorted(met.to_dict("records"), key=lambda row: order[row["opponent"]])
    drawn = any(row["draws"] for row in rows)
    cells = [
        {
            "opponent": str(row["opponent"]),
            "games": str(row["games"]),
            "won": str(row["wins"]),
            **({"drawn": str(row["draws"])} if drawn else {}),
            "lost": str(row["losses"]),
            "points": f"{row['score']:.1%}",
            "predicted": "-" if pd.isna(row["predicted"]) else f"{row['predicted']:.1%}",
            "moves its Elo by": _moves(row),
        }
        for row in rows
    ]
    return [Table("Against each", cells)] if cells else []


def _moves(row: Mapping[Hashable, Any]) -> str:
    if pd.isna(row["moved"]):
        return "-"
    limits = interval(row["moved_low"], row["moved_high"], 0)
    return f"{number(row['moved'], 0)} ({limits}){' !' if row['leans'] else ''}"


def _heat_maps(found: Survey, bot: str, rules: Rules) -> list[HeatMap]:
    maps = (
        ("Where it shoots first", found.first_shots.get(bot)),
        ("Where it places its fleet", found.fleets.get(bot)),
    )
    return [_heat_map(what, places, rules) for what, places in maps if places is not None]


def _heat_map(what: str, places: Places, rules: Rules) -> HeatMap:
    return HeatMap(
        what=what,
        counts=places.counts(rules.cells),
        games=places.games[None],
        rows=[row_name(row) for row in range(rules.rows)],
        columns=[str(column + 1) for column in range(rules.columns)],
    )
