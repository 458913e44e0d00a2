"""Rates the record when games were added, so that no page has to wait for it."""

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from arena.league import Entry, League
from arena.records import BlockKey
from arena.store import Store
from leaderboards import Ratings
from leaderboards.display import formatted_tables
from leaderboards.display.explanations import (
    elo_explanations,
    elo_notes,
    turns_explanations,
    turns_notes,
)
from leaderboards.display.plain import plain_rows
from salvo.reports.standings.league_standing import league_standing, left_out_notes
from salvo.reports.standings.results import REPORTS_NOTE
from salvo.reports.standings.standing import Standing
from salvo.reports.tables.against_each import against_each
from salvo.reports.tables.survey import latency
from salvo.reports.tables.version_rows import rated_versions, version_rows
from salvo.reports.words.confidence import describe_rank, describe_turns
from salvo.reports.words.faults import describe_latency
from salvo.reports.words.provenance import describe_bot, introductions
from salvo.server.database.leaderboard_rows import Leaderboards, Mark
from salvo.server.database.ownership import owners
from salvo.server.database.server_database import Database, now
from salvo.server.database.unstartable import unstartable
from salvo.server.leagues import open_league, plan_of
from salvo.server.work.board_rows import elo_rows, turns_rows
from salvo.server.work.bosses import ladder_of
from salvo.server.work.looks import rate_planned

_MOST_VERSIONS = 64  # that are compared, of all bots together
_LEAST_FORMER = 16  # former ones that are compared also in a large field
_BLOCKS = 3  # of each bot, those whose answers are looked at


def rate_again(folder: Path) -> None:
    """Rate a league and write its leaderboards into the database."""
    league = open_league(folder)
    with Store(league.record, create=False) as store, Database(folder) as db:
        owned = owners(db)
        kin = {one.full_name: owned[one.name] for one in league.entries if one.name in owned}
        standing = league_standing(league, store, kin=kin)
        ratings, turns = standing.ratings, standing.turns
        notes = [*left_out_notes(league), *_unstartable_notes(db), *standing.had_network]
        notes += [REPORTS_NOTE] * bool(standing.reports)
        found: dict[str, object] = {"boards": _boards(league, store, standing, owned, notes)}
        # With the keys of `salvo standings`.
        found["plain"] = {
            "elo": [] if ratings is None else plain_rows(ratings.table, elo=True),
            "turns": [] if turns is None else plain_rows(turns, elo=False),
        }
        if ratings is not None:
            found["elo.csv"] = formatted_tables.leaderboard_csv(ratings)
        if turns is not None:
            found["turns.csv"] = formatted_tables.leaderboard_csv(turns)
        found |= rate_planned(league, store, db)
        found["ladder"] = [asdict(step) for step in ladder_of(league, standing, owned)]
        found["latencies"] = taken = latencies(league, store, db.board("latencies"))
        for name, told in _bots(league, store, standing, kin).items():
            latency = taken.get(name, {}).get("latency")
            found[f"bot:{name}"] = told | {"latency": latency}
        db.keep_boards(found)
        db.settle("rated", str(db.last_event() + 1))
        db.announce("board")


def _boards(
    league: League, store: Store, standing: Standing, owned: dict[str, int], notes: list[str]
) -> Leaderboards:
    plan = plan_of(league, owned, uploaded=True)
    ratings, turns = standing.ratings, standing.turns
    current = {entry.name: entry.full_name for entry in league.field}
    rows = elo_rows(standing)
    values = [] if ratings is None else ratings.table["elo"].tolist()
    marks = {
        current[row.name]: Mark(elo, row.provisional)
        for row, elo in zip(rows, values, strict=True)
        if not math.isnan(elo) and row.name in current
    }
    games = 0 if ratings is None else int(ratings.table["games"].sum()) // 2
    return Leaderboards(
        at=now(),
        games=games,
        solo=0 if turns is None else int(turns["games"].sum()),
        missing=plan.most_games - plan.games_in(store.played("league")),
        elo=rows,
        turns=turns_rows(standing),
        elo_verdict=standing.elo_verdict,
        turns_verdict=standing.turns_verdict,
        elo_notes=[] if ratings is None else elo_notes(ratings),
        turns_notes=[] if turns is None else turns_notes(turns),
        elo_explanations=[] if ratings is None else elo_explanations(ratings),
        turns_explanations=[] if turns is None else turns_explanations(turns),
        notes=notes,
        marks=marks,
        leaning=_leaning(ratings),
    )


def _unstartable_notes(db: Database) -> list[str]:
    names = ", ".join(sorted(unstartable(db)))
    return [f"These cannot be started here, and keep their ratings: {names}."] if names else []


def _leaning(ratings: Ratings | None) -> list[tuple[str, str]]:
    """Return each pairing that a rating leans on, once, as a bot and its opponent."""
    if ratings is None:
        return []
    table = ratings.table[ratings.table["leans_on"] != ""]
    found = list(zip(table["bot"], table["leans_on"], strict=True))
    return [pair for place, pair in enumerate(found) if pair[::-1] not in found[:place]]


def _bots(
    league: League, store: Store, standing: Standing, kin: Mapping[str, int]
) -> dict[str, dict[str, object]]:
    """Return what the page of each bot says, by its name."""
    versions = _versions(league, store, kin)
    current = {entry.full_name: entry.name for entry in league.field}
    said = introductions(store.origins("league"), current)
    found: dict[str, dict[str, object]] = {}
    for name in sorted({entry.name for entry in league.entries}):
        against = against_each(standing.ratings, name)
        found[name] = {
            "about": f"{describe_bot(name, said[name])}." if name in said else "",
            "sentences": _sentences(standing, name),
            "against": list(against[0].rows) if against else [],
            "versions": [row for row, _ in versions.get(name, [])],
            "points": [point for _, point in versions.get(name, []) if point],
        }
    return found


def _versions(
    league: League, store: Store, kin: Mapping[str, int]
) -> dict[str, list[tuple[dict[str, str], tuple[float, ...] | None]]]:
    """Return how the versions of each bot compare, as cells and numbers, where it has several."""
    entries = compared(league.entries)
    if all(entry.version == 1 for entry in entries):
        return {}
    among = {entry.full_name for entry in entries}
    everybody = league_standing(league, store, all_versions=True, among=among, kin=kin)
    if everybody.ratings is None:
        return {}
    rated = rated_versions(everybody.ratings)
    found: dict[str, list[tuple[dict[str, str], tuple[float, ...] | None]]] = {}
    for cells in version_rows(entries, everybody.ratings):
        name = cells.pop("bot")
        point = _point(cells["version"], rated.get(f"{name}@{cells['version']}", {}))
        found.setdefault(name, []).append((cells, point))
    return {name: rows for name, rows in found.items() if len(rows) > 1}


def compared(entries: Sequence[Entry]) -> list[Entry]:
    """Return the field, and as many former versions as are rated within seconds: the newest.

    Rating so many takes time by more than the square of their number: ten versions of each of
    thirty bots would take minutes, and no rank would be known meanwhile.
    """
    newest = {entry.name: entry.version for entry in entries}  # later versions come later
    former = [entry for entry in entries if entry.state != "current"]
    former.sort(key=lambda entry: newest[entry.name] - entry.version)
    field = len(entries) - len(former)
    kept = {entry.full_name for entry in former[: max(_MOST_VERSIONS - field, _LEAST_FORMER)]}
    return [one for one in entries if one.state == "current" or one.full_name in kept]


def _point(version: str, row: Mapping[Any, Any]) -> tuple[float, ...] | None:
    elo = row.get("elo", math.nan)
    if math.isnan(elo):
        return None
    low, high = (elo if math.isnan(row[end]) else row[end] for end in ("low", "high"))
    return int(version), elo, low, high


def _sentences(standing: Standing, name: str) -> Sequence[str]:
    told = []
    ratings, turns = standing.ratings, standing.turns
    if ratings is not None and name in set(ratings.table["bot"]):
        told.append(describe_rank(ratings, name))
    if turns is not None and name in set(turns["bot"]):
        told.append(describe_turns(turns, name))
    return told


def latencies(league: League, store: Store, before: dict[str, Any] | None) -> dict[str, Any]:
    """Return how fast each bot answered in its latest blocks.

    ``before`` is what this returned the last time: a bot with no newer block is kept as it was.

    Returns:
        For each name the numbers of its ``blocks``, and its ``latency`` in words; None where it
        never answered.
    """
    names = {entry.full_name: entry.name for entry in league.entries}
    blocks = _latest(store, names)
    numbers = {name: [number for number, _ in found] for name, found in blocks.items()}
    known = {
        name: one for name, one in (before or {}).items() if one["blocks"] == numbers.get(name)
    }
    wanted = {key for name, found in blocks.items() if name not in known for _, key in found}
    taken: defaultdict[tuple[BlockKey, str], Counter[int]] = defaultdict(Counter)
    for record in store.blocks("league", sorted(wanted)):
        key = record.block.key
        for game in record.games:
            seats = {"first": game.fixture.first, "second": game.fixture.second}
            for step in game.steps:
                name = names.get(seats[step.seat] or "", "")
                taken[key, name][round(step.charge_s * 1_000_000)] += 1
    for name, found in blocks.items():
        if name not in known:
            answers: Counter[int] = Counter()
            for _, key in found:
                answers.update(taken[key, name])
            told = latency(answers)
            said = None if told is None else describe_latency(told)
            known[name] = {"blocks": numbers[name], "latency": said}
    return known


def _latest(store: Store, names: dict[str, str]) -> dict[str, list[tuple[int, BlockKey]]]:
    """Return the latest blocks of each name, the newest first."""
    found: dict[str, list[tuple[int, BlockKey]]] = {name: [] for name in names.values()}
    short = set(found)
    for number, key in store.newest_blocks("league"):
        for name in {names[one] for one in key[0] if one in names}:
            if name in short:
                found[name].append((number, key))
                if len(found[name]) == _BLOCKS:
                    short.remove(name)
        if not short:
            break
    return {name: blocks for name, blocks in found.items() if blocks}
