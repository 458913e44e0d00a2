"""Renders pages from templates."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from jinja2 import PackageLoader
from markupsafe import Markup
from starlette.responses import Response

from leaderboards.display.palette import MARKS
from leaderboards.display.scale import HOW_TO_READ
from leaderboards.display.templating import environment
from salvo.reports.words.stderr_text import stderr_lines
from salvo.server.database.leaderboard_rows import Row
from salvo.server.database.server_database import MOST_WORKERS
from salvo.server.dates import DatesOf, moment
from salvo.server.errors import Refusal
from salvo.server.web.face import FaceOf
from salvo.server.web.wheel import own_wheel

_WIDE, _HIGH, _EDGE = 600, 180, 34
_TITLES = {400: "That cannot be done", 403: "Not allowed", 404: "Not found"}
_NOT_PUBLIC = 401


class Rendering:
    """Makes pages of templates."""

    def __init__(
        self,
        league: Path,
        closed: str,
        version: str,
        *,
        site: bool = False,
        one_person: bool = False,
    ) -> None:
        self.face, self.dates = FaceOf(league), DatesOf(league)
        self._environment = environment(PackageLoader("salvo.server.web"))
        self._environment.globals |= {
            "home": "/bots/",
            "site": site,  # whether the pages are for a site without a server
            "one_person": one_person,  # whether somebody is here to play, and no league is
            "version": version,
            "closed": closed,
            "face": self.face,
            "wheel": own_wheel(),
            "dates": self.dates,
            "marks": MARKS,
            "most_workers": MOST_WORKERS,
            "bar": _bar,
            "how_to_read": HOW_TO_READ,
            "history": _history,
        }
        self._environment.filters["stderr_lines"] = stderr_lines
        self._environment.filters["utc"] = moment
        self._environment.filters["moment"] = lambda at: at.removesuffix("Z").replace("T", " ")

    def page(self, template: str, status: int = 200, **shown: Any) -> Response:  # noqa: ANN401 - what a template shows
        """Return a page."""
        text = self._environment.get_template(template).render(template=template, **shown)
        return Response(text, status, media_type="text/html")

    def refusal(self, refusal: Refusal) -> bytes:
        """Return the page that says why something is not done."""
        if refusal.status == _NOT_PUBLIC:
            return bytes(self.page("face.html.j2").body)
        title = _TITLES.get(refusal.status, "Not now")
        return bytes(
            self.page(
                "refusal.html.j2", title=title, reason=str(refusal), status=refusal.status
            ).body
        )


def _bar(row: Row) -> Markup:
    """Return a value and its interval on the scale of all; an arrow for a value off the scale."""
    assert row.bar is not None
    low, middle, high = row.bar
    back = middle - 20 * row.off
    mark = f"M{back} 4L{middle} 20L{back} 36" if row.off else f"M{middle} 6V34"
    return Markup(  # noqa: S704 - whole numbers alone
        '<svg class="bar" viewBox="-20 0 1040 40" preserveAspectRatio="none" aria-hidden="true">'
        f'<path class="range" d="M{low} 20H{max(high, low + 4)}"/>'
        f'<path class="middle" d="{mark}"/></svg>'
    )


def _history(points: Sequence[tuple[int, float, float, float]]) -> Markup:
    """Return how a rating went from version to version, with its intervals."""
    least = min(low for _, _, low, _ in points)
    most = max(high for *_, high in points)
    scale = (_HIGH - 2 * _EDGE) / max(most - least, 1.0)

    def x(place: int) -> float:
        return _EDGE * 2 + place * (_WIDE - 3 * _EDGE) / max(1, len(points) - 1)

    def y(elo: float) -> float:
        return _HIGH - _EDGE - (elo - least) * scale

    path = "L".join(f"{x(place):.1f} {y(elo):.1f}" for place, (_, elo, *_) in enumerate(points))
    marks = "".join(
        f'<path class="range" d="M{x(place):.1f} {y(low):.1f}V{y(high):.1f}"/>'
        f'<circle cx="{x(place):.1f}" cy="{y(elo):.1f}" r="5"/>'
        f'<text x="{x(place):.1f}" y="{_HIGH - 8}">{version}</text>'
        for place, (version, elo, low, high) in enumerate(points)
    )
    axis = "".join(
        f'<text class="axis" x="{_EDGE + 14}" y="{y(elo) + 4:.1f}">{elo:.0f}</text>'
        for elo in (least, most)
    )
    return Markup(  # noqa: S704 - numbers alone
        f'<svg class="history" viewBox="0 0 {_WIDE} {_HIGH}" role="img" '
        'aria-label="Elo by version, with its 95% interval">'
        f'<path class="line" d="M{path}"/>{marks}{axis}</svg>'
    )
