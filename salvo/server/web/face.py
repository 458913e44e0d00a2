"""Reads the face of a league: the name and the text that its operator wrote into ``about.md``."""

import re
from pathlib import Path

from markupsafe import Markup
from msgspec import Struct

from salvo.server.web.markdown import rendered

FILE = "about.md"
_MOST_BYTES = 65_536
_TITLE = re.compile(r"\s*# +(?P<title>[^\n]*?)[ #]*(\n|$)")


class Face(Struct, frozen=True):
    """The name of a league, and the text about it as HTML; that is empty where there is none."""

    title: str
    text: Markup


class FaceOf:
    """The face of the league in a folder, read again whenever it was changed."""

    def __init__(self, league: Path) -> None:
        self._path, self._name = league / FILE, league.resolve().name
        self._kept: tuple[int, Face] | None = None

    @property
    def stamp(self) -> int:
        """A number that changes with the file; 0 where there is none."""
        try:
            return self._path.stat().st_mtime_ns
        except OSError:
            return 0

    def __call__(self) -> Face:
        """Return the face as it is now."""
        stamp = self.stamp
        if self._kept is None or self._kept[0] != stamp:
            self._kept = stamp, self._read()
        return self._kept[1]

    def _read(self) -> Face:
        try:
            with self._path.open("rb") as file:
                text = file.read(_MOST_BYTES).decode("utf-8", "replace")
        except OSError:
            text = ""
        found = _TITLE.match(text)
        title = found["title"].strip() if found else ""
        return Face(title or self._name, rendered(text))
