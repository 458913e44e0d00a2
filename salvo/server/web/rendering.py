"""Renders pages from templates."""

from pathlib import Path
from typing import Any

from jinja2 import PackageLoader
from starlette.responses import Response

from leaderboards.display.html_page import environment
from leaderboards.display.palette import MARKS
from salvo.reports.words.stderr_text import stderr_lines
from salvo.server.database.server_database import MOST_WORKERS
from salvo.server.errors import Refusal
from salvo.server.web.drawings import bar, history

_TITLES = {400: "That cannot be done", 401: "Not public", 403: "Not allowed", 404: "Not found"}


class Rendering:
    """Makes pages of templates."""

    def __init__(self, league: Path, closed: str, version: str) -> None:
        self._environment = environment(PackageLoader("salvo.server.web"))
        self._environment.globals |= {
            "home": "/bots/",
            "version": version,
            "closed": closed,
            "title_of_league": league.resolve().name,
            "marks": MARKS,
            "most_workers": MOST_WORKERS,
            "bar": bar,
            "history": history,
        }
        self._environment.filters["stderr_lines"] = stderr_lines
        self._environment.filters["moment"] = lambda at: at.removesuffix("Z").replace("T", " ")
        # Compiled before the first visitor comes, who would wait for it.
        for template in self._environment.list_templates():
            self._environment.get_template(template)

    def page(self, template: str, status: int = 200, **shown: Any) -> Response:  # noqa: ANN401 - what a template shows
        """Return a page."""
        text = self._environment.get_template(template).render(template=template, **shown)
        return Response(text, status, media_type="text/html")

    def refusal(self, refusal: Refusal) -> bytes:
        """Return the page that says why something is not done."""
        title = _TITLES.get(refusal.status, "Not now")
        return bytes(
            self.page(
                "refusal.html.j2", title=title, reason=str(refusal), status=refusal.status
            ).body
        )
