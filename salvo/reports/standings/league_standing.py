"""Rates everybody in a league, and describes where the bot just submitted stands."""

import itertools
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from arena.errors import UserError
from arena.league import KIND, Entry, League, Pairing
from arena.store import Look, Store, Tournament
from leaderboards import verdict
from leaderboards.display.plain import plain_rows
from salvo.reports.how_rated import HowRated
from salvo.reports.standings.planned_standing import planned_standing, planned_without_league
from salvo.reports.standings.standing import Standing, has_met
from salvo.reports.words.confidence import describe_rank, plain_verdict


def standing_in(
    store: Store, tournament: Tournament, *, all_versions: bool = False, how: HowRated | None = None
) -> Standing:
    """Return where everybody in a tournament of a record stands.

    In a league that is its field, unless `all_versions` that were ever entered count. The league's
    register, which lies beside its record, says who that is; without it, the newest version of each
    bot counts.
    """
    if tournament.kind not in ("league", KIND):
        return Standing(store, tournament, how=how)
    league = league_of(store)
    if tournament.kind == KIND:
        if league is None or all(tournament.name != one.name for one in league.charter.tournaments):
            return planned_without_league(store, tournament, how)
        return planned_standing(store, tournament, league, how=how)
    if league is not None:
        return league_standing(league, store, all_versions=all_versions, how=how)
    if all_versions:
        return Standing(store, tournament, how=how)
    newest: dict[str, tuple[int, str]] = {}
    for entrant in tournament.entrants:
        name, _, version = entrant.name.rpartition("@")
        if not version.isdecimal():  # not a name that a league gives
            name, version = entrant.name, "0"
        newest[name] = max(newest.get(name, (0, "")), (int(version), entrant.name))
    names = {full: name for name, (_, full) in newest.items()}
    note = (
        "The newest version of each bot: the league's register, which says who was withdrawn, does "
        "not lie beside this record."
    )
    return Standing(store, tournament, how=how, names=names, notes=[note])


def league_of(store: Store) -> League | None:
    """Return the league that a record belongs to, if it lies in one."""
    try:
        league = League(store.path.parent)
    except UserError:
        return None
    return league if league.record.resolve() == store.path.resolve() else None


def league_standing(  # noqa: PLR0913 - each is a choice of its own, by keyword
    league: League,
    store: Store,
    *,
    all_versions: bool = False,
    among: Collection[str] | None = None,
    how: HowRated | None = None,
    kin: Mapping[str, int] | None = None,
) -> Standing:
    """Return where everybody stands: the field, or every version that was ever entered.

    Of all versions only those `among` some names in the record count, if these are given.
    The anchor of a league is always among them, since its Elo is what all others are measured by.
    Games between bots of one number among `kin`, by their names in the record, do not count.
    """
    fixed = league.anchor
    names = {
        entry.full_name: entry.full_name if all_versions or entry.state != "current" else entry.name
        for entry in league.entries
        if all_versions or entry.state == "current" or entry == fixed
        if among is None or entry.full_name in among or entry == fixed
    }
    how, anchor = how or HowRated(), league.charter.anchor
    left_out = _left_out(league, kin or {})
    if anchor is not None and has_met(anchor.bot, names, store.played("league"), left_out):
        how = replace(how, anchor=(names[anchor.bot], anchor.elo))
    notes = _notes(league, store)
    look = Look(league.charter.games // 2)
    return Standing(
        store, league.tournament(), how=how, look=look, names=names, notes=notes, left_out=left_out
    )


def _left_out(league: League, kin: Mapping[str, int]) -> set[Pairing]:
    return {
        frozenset({one.full_name, other.full_name})
        for one, other in itertools.combinations(league.entries, 2)
        if frozenset({one.name, other.name}) in league.left_out
        or kin.get(one.full_name, one) == kin.get(other.full_name, other)
    }


def _notes(league: League, store: Store) -> list[str]:
    entries, fixed = league.entries, league.anchor
    field = ", ".join(entry.full_name for entry in entries if entry.state == "current")
    notes = [f"The league's field: {field or 'nobody'}."]
    former = [
        f"{entry.full_name} ({entry.state})"
        for entry in entries
        if entry.state != "current" and entry != fixed
    ]
    if former:
        notes.append(f"Only in the record, and shown by --all: {', '.join(former)}.")
    if fixed is not None and fixed.state != "current":
        notes.append(
            f"{fixed.full_name} ({fixed.state}) is the anchor of the league: it stays in the "
            "tables, and all others meet it."
        )
    notes += left_out_notes(league)
    missing = league.missing_games(store)
    if missing:
        notes.append(
            f"{missing} games are still to be played: `salvo submit --league {league.folder}`."
        )
    return notes


def left_out_notes(league: League) -> list[str]:
    """Return which pairings do not count, in a sentence; nothing where all do."""
    apart = sorted(" against ".join(sorted(pairing)) for pairing in league.left_out)
    return [f"Left out of the ratings by the operator: {', '.join(apart)}."] if apart else []


def submitted_place(standing: Standing, former: Standing, entry: Entry) -> dict[str, Any]:
    """Return where a bot stands, in the field and beside its last version, as data for JSON."""
    told: dict[str, Any] = {"bot": entry.name, "version": entry.version}
    ratings = standing.ratings
    if ratings is None or entry.name not in ratings.sure.index:
        return told
    columns = ["rank", "best_rank", "worst_rank", "elo", "low", "high", "bound", "games"]
    [row] = plain_rows(ratings.table.loc[ratings.table["bot"] == entry.name, columns], elo=True)
    told |= row
    names = [str(bot) for bot in ratings.sure.index]
    sure, here = ratings.sure.to_numpy(dtype=bool), names.index(entry.name)
    told["surely_better_than"] = list(itertools.compress(names, sure[here]))
    told["surely_worse_than"] = list(itertools.compress(names, sure[:, here]))
    if former.ratings is not None and entry.version > 1:
        both = entry.full_name, f"{entry.name}@{entry.version - 1}"
        if set(both) <= set(former.ratings.sure.index):
            found = verdict(former.ratings, *both)
            told["than_before"] = plain_verdict(found)
    return told


def describe_place(standing: Standing, entry: Entry, submitted: dict[str, Any]) -> list[str]:
    """Return where a bot stands in a few sentences, by what ``submitted_place`` returned."""
    if standing.ratings is None or "rank" not in submitted:
        return [f"{entry.name} is alone in the league: it is rated when there is another."]
    better, worse = (len(submitted[f"surely_{how}_than"]) for how in ("better", "worse"))
    open_ = len(standing.ratings.table) - 1 - better - worse
    told = [f"Version {entry.version} of {describe_rank(standing.ratings, entry.name)}"]
    told.append(
        f"It is surely better than {_bots(better)} and surely worse than {_bots(worse)}; "
        f"against {_bots(open_)} it is undecided."
    )
    if (before := submitted.get("than_before")) is not None:
        if not before["decided"]:
            told.append(f"Whether it is better than version {entry.version - 1} is undecided.")
        else:
            how = "better" if before["better"] == entry.full_name else "worse"
            told.append(f"It is surely {how} than version {entry.version - 1}.")
    return told


def _bots(number: int) -> str:
    return "no bot" if not number else "1 bot" if number == 1 else f"{number} bots"
