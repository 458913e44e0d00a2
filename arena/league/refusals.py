"""Refuses bots that cannot come into a league, whatever their content does."""

from collections.abc import Sequence
from pathlib import Path

from arena.entrants import Entrant, same_name
from arena.errors import BotError
from arena.isolation import readable
from arena.league.charter import CHARTER, Charter
from arena.league.register import Entry
from arena.league.storage import Storage


def refuse_reader(folder: Path, entrant: Entrant) -> None:
    """Refuse a bot that could read the league: its seed, its record, or another bot.

    Raises:
        BotError: If it could.
    """
    place = readable(entrant.program, folder)
    if place is not None:
        raise BotError(
            f"league folder {folder}: '{entrant.name}' could read it, since it may read "
            f"{place!r}; move the league elsewhere, or take that out of the bot's TOML"
        )


def refuse_alike(folder: Path, name: str, entries: Sequence[Entry]) -> None:
    """Refuse a name that differs from another by capital letters alone.

    Raises:
        BotError: If it does.
    """
    for entry in entries:
        if same_name(entry.name, name) and entry.name != name:
            raise BotError(
                f"league folder {folder}: '{name}' could be taken for '{entry.name}', "
                "which is in it; submit the bot under that name, or another"
            )


def refuse_excess(
    folder: Path, charter: Charter, storage: Storage, entrant: Entrant, entries: Sequence[Entry]
) -> None:
    """Refuse a new version where the league has as many as it may, or as many bytes.

    Raises:
        BotError: If it has.
    """
    versions = [entry for entry in entries if entry.name == entrant.name]
    if any(entry.digest == entrant.digest for entry in versions):
        return
    most, most_mb = charter.max_versions, charter.max_mb
    if len(versions) >= most:
        raise BotError(
            f"league folder {folder}: '{entrant.name}' has {len(versions)} versions, "
            f"and at most {most} are kept of a name; submit one of them again, or raise "
            f"max_versions in {CHARTER}"
        )
    # The candidate lies there already.
    size_mb = storage.size() / 1e6
    if size_mb > most_mb:
        raise BotError(
            f"league folder {folder}: with '{entrant.name}' its bots would have "
            f"{size_mb:,.0f} MB, and at most {most_mb:,} MB are kept; submit a smaller bot, "
            f"or raise max_mb in {CHARTER}"
        )
