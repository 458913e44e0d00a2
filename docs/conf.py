"""Builds the documents as a site, by `tox -e docs`; `index.md` says in which order to read them."""

import re
import tomllib
from pathlib import Path
from typing import Any

from pygments.lexers.special import TextLexer
from sphinx.application import Sphinx

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

project = "Salvo"
author = "The Salvo authors"
copyright = "2026, The Salvo authors"  # noqa: A001 - Sphinx reads this name
release = version = PROJECT["version"]

# Documents link to one another as files of the repository, so that is what Sphinx reads.
root_doc = "docs/index"
include_patterns = [
    "*.md",
    "arena/PROTOCOL.md",
    "benchmarks/README.md",
    "bots/README.md",
    "docs/*.md",
    "docs/reference/*.md",
    "examples/README.md",
]
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx_click"]
myst_heading_anchors = 4
autodoc_member_order = "bysource"
autodoc_typehints = "description"
napoleon_use_ivar = True  # attributes as a list, as the docstrings have them
python_use_unqualified_type_names = True
default_role = "code"  # single backticks of docstrings
highlight_language = "none"  # what printed, and commands

html_theme = "furo"
html_title = f"Salvo {release}"
html_static_path: list[str] = []
html_show_sourcelink = False
html_copy_source = False
html_show_sphinx = False

_SECTION = re.compile(r"^## (.*)$", re.MULTILINE)
_LINK = re.compile(r"\[([^\]]+)\]\(([^):#]+)\.md\)")


def _add_tables_of_contents(app: Sphinx, name: str, source: list[str]) -> None:
    """Make the sections of the index those of the sidebar; a page is filed where it is named first.

    So the index has no directives, and reads well in the repository too.
    """
    if name != app.config.root_doc:
        return
    _, *sections = _SECTION.split(source[0])
    seen: set[str] = set()
    for title, text in zip(sections[::2], sections[1::2], strict=True):
        pages = [(words, page) for words, page in _LINK.findall(text) if page not in seen]
        seen.update(page for _, page in pages)
        if pages:
            entries = "\n".join(f"{words[0].upper()}{words[1:]} <{page}>" for words, page in pages)
            source[0] += f"\n```{{toctree}}\n:hidden:\n:caption: {title}\n\n{entries}\n```\n"


def _write_start_page(app: Sphinx, error: Exception | None) -> None:
    """Lead from the site's address to the index, which lies in a folder as in the repository."""
    if error is None and app.builder.format == "html":
        page = (
            '<!doctype html><meta charset="utf-8"><title>Salvo</title>'
            '<meta http-equiv="refresh" content="0; url=docs/index.html">'
            '<a href="docs/index.html">Salvo</a>\n'
        )
        (Path(app.outdir) / "index.html").write_text(page, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, Any]:
    """Connect what this file adds to Sphinx."""
    app.add_lexer("transcript", TextLexer)  # the examples of arena/PROTOCOL.md, for its tests
    app.connect("source-read", _add_tables_of_contents)
    app.connect("build-finished", _write_start_page)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
