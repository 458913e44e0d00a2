"""The bots that come with Salvo."""

from importlib.resources import files
from pathlib import Path

__all__ = ["bundled_bots"]


def bundled_bots() -> dict[str, Path]:
    """Return the path of each bundled bot by its name: a file, or a folder with a bot.py."""
    folder = Path(str(files("bots")))
    scripts = {path.stem: path for path in folder.glob("*.py") if path.name != "__init__.py"}
    folders = {path.parent.name: path.parent for path in folder.glob("*/bot.py")}
    return dict(sorted((scripts | folders).items()))
