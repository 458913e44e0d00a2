"""Renders Markdown, such as the protocol's, as HTML; headings have the names that GitHub gives."""

import itertools
import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

_PARSER = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")


_LEADS = re.compile(r"#|/|[a-z]+:")


def rendered(text: str) -> Markup:
    """Return a document without its title; its sections have headings of the third level."""
    tokens = _PARSER.parse(text)
    if tokens and tokens[0].tag == "h1":
        del tokens[:3]
    names: Counter[str] = Counter()
    for token, following in itertools.zip_longest(tokens, tokens[1:]):
        if token.type == "heading_open" and following is not None:
            name = re.sub(r"[^\w -]", "", following.content.lower()).replace(" ", "-")
            token.attrSet("id", f"{name}-{names[name]}" if names[name] else name)
            names[name] += 1
        if token.type.startswith("heading"):
            token.tag = f"h{int(token.tag[1]) + 1}"
        if token.type == "th_open":
            token.attrSet("scope", "col")
        for child in token.children or ():
            # Files beside the document are not served.
            if child.type == "link_open" and not _LEADS.match(str(child.attrGet("href"))):
                child.attrs.pop("href")
        if token.type in ("th_open", "td_open"):
            token.attrSet("class", "words")
        if token.type == "table_open":
            names["|"] += 1
            token.meta["number"] = names["|"]
    # Markdown-it escapes what is text, and passes no HTML.
    return Markup(_PARSER.renderer.render(tokens, _PARSER.options, {}).strip())  # noqa: S704


def _table(_self: object, tokens: Sequence[Token], place: int, *_: Any) -> str:  # noqa: ANN401 - markdown-it's own
    number = tokens[place].meta["number"]
    return f'<div class="scroll" tabindex="0" role="region" aria-label="Table {number}"><table>'


def _fence(_self: object, tokens: Sequence[Token], place: int, *_: Any) -> str:  # noqa: ANN401 - markdown-it's own
    text = tokens[place].content.removesuffix("\n")
    # A plain string: older versions append it to what is escaped by a Markup.
    return str(Markup('<pre class="words" tabindex="0">{}</pre>\n').format(text))


_PARSER.add_render_rule("table_open", _table)
_PARSER.add_render_rule("table_close", lambda *_: "</table></div>\n")
_PARSER.add_render_rule("fence", _fence)
