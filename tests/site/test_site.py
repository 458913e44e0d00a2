"""The site that `tox -e docs` just built: complete, whole, and without the network."""

import re
import tomllib
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

ROOT = Path(__file__).parents[2]
SITE = ROOT / "site"
PAGES = sorted(SITE.rglob("*.html"))
ROOMS = ("arena", "benchmarks", "bots", "examples")
LOADING = {"img": "src", "script": "src", "link": "href", "iframe": "src", "source": "src"}


class _Page(HTMLParser):
    """What a page loads, where its links lead, and which anchors it has."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.loaded: list[str] = []
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attributes}
        self.anchors |= {given[name] for name in ("id", "name") if name in given}
        if tag in LOADING and LOADING[tag] in given:
            self.loaded.append(given[LOADING[tag]])
        elif tag == "a" and "href" in given:
            self.links.append(given["href"])


@cache
def read(page: Path) -> _Page:
    return _Page(page.read_text(encoding="utf-8"))


def test_every_document_of_the_repository_is_a_page() -> None:
    documents = [
        *ROOT.glob("*.md"),
        *(ROOT / "docs").rglob("*.md"),
        *(
            path
            for room in ("arena", "benchmarks", "bots", "examples")
            for path in (ROOT / room).glob("*.md")
        ),
    ]
    missing = [
        path
        for path in documents
        if not (SITE / path.relative_to(ROOT)).with_suffix(".html").exists()
    ]
    assert len(documents) > 30
    assert missing == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(SITE)))
def test_a_page_loads_nothing_from_the_network(page: Path) -> None:
    assert [one for one in read(page).loaded if urlsplit(one).netloc] == []


def test_style_sheets_load_nothing_from_the_network() -> None:
    sheets = list(SITE.rglob("*.css"))
    assert sheets
    for sheet in sheets:
        assert not re.search(r"@import|url\(['\"]?(https?:)?//", sheet.read_text("utf-8")), sheet


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(SITE)))
def test_links_inside_the_site_lead_somewhere(page: Path) -> None:
    missing = []
    for link in [*read(page).links, *read(page).loaded]:
        parts = urlsplit(link)
        if parts.scheme or parts.netloc:
            continue
        target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
        anchor = unquote(parts.fragment)
        here = target.is_file()
        if here and anchor and target.suffix == ".html":
            here = anchor in read(target).anchors
        if not here:
            missing.append(link)
    assert missing == []


def test_the_address_of_the_site_leads_to_the_index() -> None:
    assert 'url=docs/index.html"' in (SITE / "index.html").read_text(encoding="utf-8")


def test_the_reference_of_the_kit_has_every_method_that_an_author_may_write() -> None:
    text = (SITE / "docs/reference/bot.html").read_text(encoding="utf-8")
    source = (ROOT / "arena/bot.py").read_text(encoding="utf-8")
    kit = source.partition("\nclass Bot:")[2].partition("\nclass ")[0]
    methods = re.findall(r"^    def ([a-z]\w*)", kit, re.MULTILINE)
    assert "choose_shots" in methods
    assert [name for name in methods if f'id="arena.Bot.{name}"' not in text] == []


def test_the_reference_of_the_commands_has_every_command() -> None:
    text = (SITE / "docs/reference/commands.html").read_text(encoding="utf-8")
    files = (ROOT / "salvo/cli").glob("[a-z]*.py")
    commands = {path.stem for path in files} - {"lazy", "main"}
    assert len(commands) > 20
    assert {name for name in commands if f'id="salvo-{name}"' not in text} == set()


def test_it_is_the_site_of_this_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert f"Salvo {project['version']}" in (SITE / "docs/index.html").read_text(encoding="utf-8")
