"""Builds the report of a tournament: leaderboards, games to watch and a section per bot."""

import functools
import json
from collections import Counter
from collections.abc import Sequence
from random import Random

import pandas as pd

from arena.rules import Rules, draw, name_layout, row_name
from arena.store import Store
from leaderboards.display import html_page
from leaderboards.display.cells import number
from leaderboards.display.heat_maps import HeatMap
from leaderboards.display.replay_frames import Replay
from leaderboards.display.sections import Profile, Section, Table
from salvo.conditions import MATCHING
from salvo.reports.pages.featured_games import featured_games
from salvo.reports.pages.game_frames import renamed_game
from salvo.reports.pages.game_replay import replay_of
from salvo.reports.pages.posteriors import QUICK_EFFORT
from salvo.reports.standings.standing import Standing
from salvo.reports.tables.against_each import against_each
from salvo.reports.tables.analysis import analysis_of
from salvo.reports.tables.survey import CellCounts, Survey, latency, survey
from salvo.reports.words.confidence import describe_rank, describe_turns
from salvo.reports.words.faults import (
    count_forfeits,
    describe_latency,
    faults_section,
    forfeits_by,
    of_bot,
)
from salvo.reports.words.provenance import describe_bot, introductions, provenance, repeat_command
from salvo.reports.words.rules_text import describe_rules
from salvo.reports.work_progress import Progress, no_progress

_QUICK_CELLS = 144  # cells of a board on which the posteriors of a game take seconds, not minutes
_LAYOUTS_BY_CHANCE = 2_000
_ANALYSED = ("closest", "upset", "solo")
"""The games that are shown with posteriors and what each salvo cost.

Each takes up to a second of a processor, which is most of what a small report takes.
"""


def report_page(
    standing: Standing,
    store: Store,
    progress: Progress = no_progress,
    further: Sequence[Section] = (),
) -> str:
    """Return the report of a tournament as one HTML page, with further sections."""
    tournament, names = standing.tournament, standing.names
    games = pd.concat([standing.games, standing.searches], ignore_index=True)
    settings = _settings(standing)
    counted = set(games["id"])
    read = progress(store.each_game(tournament.name), len(counted), "games")
    found = survey(read, counted, names)
    origins = store.origins(tournament.name)
    facts = provenance(tournament, origins, standing.bots, str(settings["Isolation"]), names)
    facts["Forfeits"] = count_forfeits(games)
    voids = store.voids(tournament.name)
    command = _repeat_command(standing, store)
    if command is not None:
        facts["To repeat"] = f"$ {command}"
    return html_page.html(
        ratings=standing.ratings,
        turns=standing.turns,
        solo=standing.solo,
        settings=settings,
        title=standing.title(),
        about=_about(standing),
        facts=facts,
        notes=standing.notes,
        replays=_replays(standing, store, progress),
        further=further,
        closing=[faults_section(games, standing.bots, found, tournament.settings, voids)],
        profiles=_profiles(standing, found, forfeits_by(games), store),
    )


def _about(standing: Standing) -> str:
    games, solo = len(standing.games), len(standing.searches)
    played = [f"{games:,} games between two bots"] if games else []
    played += [f"{solo:,} solo games"] if solo else []
    return f"{standing.tournament.name}: {' and '.join(played) or 'no games'}"


def _amounts(standing: Standing) -> dict[str, str]:
    seats = standing.games[["first", "second"]].to_numpy(dtype=str)
    pairings = pd.Series([tuple(sorted(pair)) for pair in seats], dtype=object)
    games = _span(pairings.value_counts())
    layouts = _span(standing.searches["first"].value_counts())
    common = standing.tournament.common_layouts
    whose = "all bots on the same layouts" if common else "each bot on layouts of its own"
    blocks = f"by the same two processes for {2 * standing.tournament.block_pairs} games at most"
    return {
        **({"Games a pairing": f"{games}, in pairs with seats swapped; {blocks}"} if games else {}),
        **({"Solo games a bot": f"{layouts}, {whose}"} if layouts else {}),
    }


def _settings(standing: Standing) -> dict[str, object]:
    tournament = standing.tournament
    rules, settings = tournament.rules, tournament.settings
    gauntlet = tournament.gauntlet
    return {
        **describe_rules(rules),
        **_amounts(standing),
        **({} if gauntlet is None else {"Gauntlet": f"{gauntlet} against all others"}),
        "Seed": tournament.seed,
        "Time": (
            f"{settings.load_s:g} s to load, {settings.move_s:g} s a move, "
            f"{settings.game_s:g} s a game"
        ),
        "Isolation": "; ".join(_promises(record) for record in standing.isolation),
    }


def _span(counts: pd.Series) -> str:
    spans = sorted({int(counts.min()), int(counts.max())}) if len(counts) else []
    return " to ".join(str(count) for count in spans)


def _promises(record: str) -> str:
    told = json.loads(record)
    if "in_process" in told:
        return f"none for {' and '.join(told['in_process'])}, which played in the arena's process"
    broken = [name for name, held in told["promises"].items() if not held]
    return f"{told['level']}, without {', '.join(broken)}" if broken else f"{told['level']}"


def _repeat_command(standing: Standing, store: Store) -> str | None:
    """Return the command that plays as much again as was asked for, as far as it was played."""
    tournament = standing.tournament
    told = [json.loads(record) for record in standing.isolation]
    levels = sorted({record["level"] for record in told if "level" in record})
    pairs, layouts = standing.games["pair"], standing.searches["pair"]
    games = 2 * (int(pairs.max()) + 1) if len(pairs) else 0
    if tournament.kind in MATCHING:  # results decide who meets whom: games are those of a bot
        games = 2 * max((look.pairs for look in store.looks(tournament.name)), default=0)
    return repeat_command(tournament, games, int(layouts.max()) + 1 if len(layouts) else 0, levels)


def _replays(standing: Standing, store: Store, progress: Progress) -> list[Replay]:
    alone = [] if standing.turns is None else [str(bot) for bot in standing.turns["bot"]]
    replays = []
    for featured in featured_games(standing.games, standing.searches, standing.ratings, alone):
        game, rules = store.game(featured.id)
        is_analysed = featured.key in _ANALYSED and rules.cells <= _QUICK_CELLS
        game = renamed_game(game, standing.names)
        shown = replay_of(
            game,
            rules,
            QUICK_EFFORT if is_analysed else None,
            featured=featured,
            analysis=analysis_of(game, rules, progress) if is_analysed else None,
            progress=progress,
        )
        replays.append(shown)
    return replays


def _profiles(standing: Standing, found: Survey, lost: pd.DataFrame, store: Store) -> list[Profile]:
    tournament = standing.tournament
    said = introductions(store.origins(tournament.name), standing.names)
    digests = {
        standing.names.get(entrant.name, entrant.name): entrant.digest
        for entrant in tournament.entrants
    }
    by_chance = _fleets_by_chance(tournament.rules)
    profiles = []
    for bot in standing.bots:
        own = said.get(bot)
        calls_itself = f"It calls itself {own.name}." if own and own.name != bot else ""
        content = f"Content {digests[bot][:12]}." if bot in digests else ""
        forfeits = of_bot(lost, bot)
        tables = against_each(standing.ratings, bot)
        tables += [Table("Forfeits", forfeits)] if forfeits else []
        profiles.append(
            Profile(
                bot=bot,
                brief=_brief(standing, bot),
                sentences=[
                    " ".join(filter(None, [f"{describe_bot(bot, own)}.", calls_itself, content])),
                    *_standing(standing, bot),
                    *_pace(found, bot),
                    *_reports(standing, bot),
                ],
                tables=tables,
                heat_maps=_heat_maps(found, bot, tournament.rules, by_chance),
            )
        )
    return profiles


def _brief(standing: Standing, bot: str) -> str:
    """Return the rating and the mean turns of a bot in a few words."""
    ratings, turns, told = standing.ratings, standing.turns, []
    if ratings is not None:
        elo = ratings.table.loc[ratings.table["bot"] == bot, "elo"]
        told += [f"Elo {number(value, 0)}" for value in elo]
    if turns is not None:
        mean = turns.loc[turns["bot"] == bot, "mean_turns"]
        told += [f"{number(value, 2)} turns" for value in mean]
    return ", ".join(told)


def _standing(standing: Standing, bot: str) -> list[str]:
    told = []
    if standing.ratings is not None and bot in set(standing.ratings.table["bot"]):
        told.append(describe_rank(standing.ratings, bot))
    if standing.turns is not None and bot in set(standing.turns["bot"]):
        told.append(describe_turns(standing.turns, bot))
    return told


def _pace(found: Survey, bot: str) -> list[str]:
    taken = latency(found.answers[bot]) if bot in found.answers else None
    if taken is None:
        return []
    told = describe_latency(taken)
    first = f"Of its {told['answers']} answers half took up to {told['median']}"
    return [f"{first}, 95% up to {told['95% within']}; the slowest took {told['slowest']}."]


def _reports(standing: Standing, bot: str) -> list[str]:
    told = standing.reports.get(bot)
    return [f"It reports of itself, as the mean of a game, {told}; nobody checked that."] * bool(
        told
    )


def _heat_maps(found: Survey, bot: str, rules: Rules, by_chance: Sequence[int]) -> list[HeatMap]:
    lengths = [ship.length for ship in rules.fleet]
    a_ship = sum(length**2 for length in lengths) / sum(lengths)  # cells of the ship of a cell
    maps: list[tuple[str, CellCounts | None, float, Sequence[int]]] = [
        ("Where it shoots first", found.first_shots.get(bot), 1.0, ()),
        ("Where it places its fleet", found.fleets.get(bot), a_ship, by_chance),
    ]
    return [
        HeatMap(
            what=what,
            counts=[counted.cells[cell] for cell in range(rules.cells)],
            games=counted.games,
            rows=[row_name(row) for row in range(rules.rows)],
            columns=[str(column + 1) for column in range(rules.columns)],
            together=together,
            by_chance=chance,
        )
        for what, counted, together, chance in maps
        if counted is not None
    ]


@functools.lru_cache(maxsize=8)
def _fleets_by_chance(rules: Rules) -> tuple[int, ...]:
    """Return how often each cell holds a ship in layouts drawn as the arena draws them."""
    drawn: Counter[int] = Counter()
    for seed in range(_LAYOUTS_BY_CHANCE):
        for cells in name_layout(rules, draw(rules, Random(seed))).values():
            drawn.update(cells)
    return tuple(drawn[cell] for cell in range(rules.cells))
