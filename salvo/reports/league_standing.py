"""Where everybody in a league stands, and where the bot just submitted does."""

from collections.abc import Collection
from dataclasses import replace
from typing import Any

from arena.league import Entry, League
from arena.store import Look, Store
from leaderboards.plain import plain_rows
from salvo.reports.choices import HowRated
from salvo.reports.confidence import describe_chance, describe_rank, likelihoods, neighbours
from salvo.reports.standing import Standing

__all__ = ["describe_place", "league_standing", "submitted_place"]


def league_standing(
    league: League, store: Store, *, all_versions: bool = False, how: HowRated | None = None
) -> Standing:
    """Return where everybody stands: the field, or every version that was ever entered.

    The anchor of a league is always among them, since its Elo is what all others are measured by.
    """
    fixed = league.anchor
    names = {
        entry.full_name: entry.full_name if all_versions or entry.state != "current" else entry.name
        for entry in league.entries
        if all_versions or entry.state == "current" or entry == fixed
    }
    how, anchor = how or HowRated(), league.charter.anchor
    if anchor is not None and _has_met(anchor.bot, names, store):
        how = replace(how, anchor=(names[anchor.bot], anchor.elo))
    notes = _notes(league, store)
    look = Look(league.charter.games // 2)
    return Standing(store, league.tournament(), how=how, look=look, names=names, notes=notes)


def _has_met(bot: str, names: Collection[str], store: Store) -> bool:
    """Return whether the record has games of a bot with another of these."""
    return any(
        len(who) > 1 and bot in who and set(who) <= set(names) for who, _ in store.played("league")
    )


def _notes(league: League, store: Store) -> list[str]:
    """Return who is in the league, and what is still to be played."""
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
    missing = league.missing_games(store)
    if missing:
        notes.append(
            f"{missing} games are still to be played: `salvo submit --league {league.folder}`."
        )
    return notes


def submitted_place(standing: Standing, former: Standing, entry: Entry) -> dict[str, Any]:
    """Return where a bot stands as data that JSON can hold.

    Args:
        standing: That of the league's field.
        former: That of every version that was ever entered.
        entry: The bot.
    """
    told: dict[str, Any] = {"bot": entry.name, "version": entry.version, "better_than": {}}
    if standing.ratings is not None:
        keys = ("rank", "elo", "low", "high", "bound", "games")
        table = standing.ratings.table
        for row in plain_rows(table[table["bot"] == entry.name], keys, elo=True):
            told |= {**row, "better_than": likelihoods(standing.ratings, entry.name)}
    before = f"{entry.name}@{entry.version - 1}"
    if former.ratings is not None and entry.version > 1:
        told["better_than"][before] = likelihoods(former.ratings, entry.full_name).get(before)
    return told


def describe_place(standing: Standing, entry: Entry, submitted: dict[str, Any]) -> list[str]:
    """Return where a bot stands in a few sentences.

    Args:
        standing: That of the league's field.
        entry: The bot.
        submitted: What ``submitted_place`` returns of it.
    """
    if standing.ratings is None or "rank" not in submitted:
        return [f"{entry.name} is alone in the league: it is rated when there is another."]
    chances = submitted["better_than"]
    near = neighbours(standing.ratings, entry.name)
    near += [f"{entry.name}@{entry.version - 1}"] if entry.version > 1 else []
    told = [
        f"{other} {describe_chance(chances[other])}"
        for other in near
        if chances.get(other) is not None
    ]
    lines = [f"Version {entry.version} of {describe_rank(standing.ratings, entry.name)}"]
    return (
        [*lines, f"Confidence that it is better (1 - one-sided p): than {', than '.join(told)}."]
        if told
        else lines
    )
