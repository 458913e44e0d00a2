"""Copies of bots: all that is a bot's own, in a folder from which it plays as before.

What is copied is what its hash covers, so that the copy has the hash of the original.
"""

from pathlib import Path

from arena.entrants.hashed_files import write
from arena.entrants.operator_terms import Terms
from arena.entrants.own_files import opened
from arena.errors import BotError


def keep(path: Path, folder: Path, terms: Terms, *, linked: bool = False) -> Path:
    """Copy a bot.

    Args:
        path: The file or folder that it is.
        folder: An empty folder that nobody else writes to.
        terms: What the bot may be given.
        linked: Whether its files may be hard links, as those of installed packages often are. Of
            others such a file may be somebody else's.

    Returns:
        The file or folder that the copy is.

    Raises:
        BotError: If it holds or asks for what it cannot have, or cannot be copied.
    """
    try:
        path = path.resolve()
        with opened(path, terms) as own:
            target = folder / path.name if own.is_folder else folder
            target.mkdir(exist_ok=True)
            for item in own.items:
                chunks = () if item.link else own.folder.read(item, linked=linked)
                place = target / item.name
                write(place, chunks, executable=item.executable, link=item.link)
    except OSError as error:
        raise BotError(
            f"bot {str(path)!r}: it cannot be copied to {folder}: {error.strerror or error}"
        ) from error
    return folder / path.name
