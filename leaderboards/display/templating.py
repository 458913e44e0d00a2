"""Prepares text, data and templates for pages; imported at once, since it takes no pandas."""

import json
import re
from collections.abc import Mapping

from jinja2 import BaseLoader, ChoiceLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

_LINE_OF_NAME = re.compile(r"[^_]{0,13}_|[^_]{1,14}")


def printable(text: str) -> str:
    """Return the text with characters that a terminal or browser would obey, or hide, escaped."""
    return "".join(
        sign if sign.isprintable() else sign.encode("unicode_escape").decode("ascii")
        for sign in text
    )


def as_data(value: Mapping[str, object] | None) -> Markup:
    """Return a mapping, or that there is none, as JSON that may stand in a script element."""
    return in_script(json.dumps(value, separators=(",", ":")))


def in_script(text: str) -> Markup:
    """Return JSON as it may stand in a script element."""
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return Markup(text)  # noqa: S704 - no sign is left that could end the element


def environment(*first: BaseLoader) -> Environment:
    """Return the templates of the page, looked up in `first` before those of this package."""
    environment = Environment(
        loader=ChoiceLoader([*first, PackageLoader("leaderboards.display")]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["printable"] = printable
    environment.filters["breakable"] = _breakable
    environment.globals["home"] = "#"  # what stands before the address of a bot
    return environment


def _breakable(name: str) -> Markup:
    """Return a name that may be broken after underscores, and within parts too long for a phone."""
    return Markup("<wbr>").join(_LINE_OF_NAME.findall(printable(name)))
