"""What the commands about leagues share."""

from pathlib import Path

import click

from arena.league import League
from arena.store import Store
from salvo.reports.standing import Standing

__all__ = ["league_option", "league_standing"]

league_option = click.option(
    "--league",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    default="league",
    show_default=True,
    help="The folder of the league.",
)


def league_standing(
    league: League, store: Store, *, all_versions: bool = False, prior: bool = True
) -> Standing:
    """Return where everybody stands: the field, or every version that was ever entered."""
    entries = league.entries if all_versions else league.field
    names = {entry.full_name: entry.full_name if all_versions else entry.name for entry in entries}
    notes = _notes(league, store)
    return Standing(store, league.tournament(), prior=prior, names=names, notes=notes)


def _notes(league: League, store: Store) -> list[str]:
    """Return who is in the league, and what is still to be played."""
    entries = league.entries
    field = ", ".join(entry.full_name for entry in entries if entry.state == "current")
    notes = [f"In the league {league.folder}: {field or 'nobody'}."]
    former = [f"{entry.full_name} ({entry.state})" for entry in entries if entry.state != "current"]
    if former:
        notes.append(f"In the record alone, and shown by --all: {', '.join(former)}.")
    missing = league.missing_games(store)
    if missing:
        notes.append(
            f"{missing} games are still to be played: `salvo submit --league {league.folder}`."
        )
    return notes
