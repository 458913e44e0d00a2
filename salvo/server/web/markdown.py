"""The protocol's Markdown as HTML: what the protocol uses of it, and no more.

That is headings, paragraphs, flat lists, tables and fenced code; and within these code, links to
other places of the document, and emphasis. A heading is linked to by the name that GitHub gives it.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from markupsafe import Markup, escape

_FENCE, _ITEM, _ROW = "```", "- ", "|"
_HEADING = re.compile("(##|###) (.+)")
_INLINE = re.compile(
    r"`(?P<code>[^`]+)`|\[(?P<link>[^]]+)\]\(#(?P<place>[\w-]+)\)"
    r"|\*\*(?P<strong>[^*]+)\*\*|\*(?P<em>[^*]+)\*"
)


def rendered(text: str) -> Markup:
    """Return a document without its title; its sections have headings of the third level."""
    lines = text.splitlines()
    if lines and lines[0].startswith("# "):
        del lines[0]
    names: Counter[str] = Counter()
    return Markup("\n").join(_block(block, names) for block in _blocks(lines))


def _blocks(lines: Sequence[str]) -> Iterator[list[str]]:
    """Yield the lines of each block: all of a fence, elsewhere those up to an empty one."""
    block: list[str] = []
    for line in lines:
        fenced = bool(block) and block[0].startswith(_FENCE)
        if line.strip() or fenced:
            block.append(line)
        ended = len(block) > 1 and line.startswith(_FENCE) if fenced else not line.strip()
        if ended and block:
            yield block
            block = []
    if block:
        yield block


def _block(lines: list[str], names: Counter[str]) -> Markup:
    heading = _HEADING.fullmatch(lines[0])
    if heading is not None:
        return _heading(len(heading[1]) + 1, heading[2], names)
    if lines[0].startswith(_FENCE):
        return Markup('<pre class="words" tabindex="0">{}</pre>').format("\n".join(lines[1:-1]))
    if lines[0].startswith(_ROW):
        names[_ROW] += 1
        return _table(lines, names[_ROW])
    if lines[0].startswith(_ITEM):
        items = "\n".join(lines).removeprefix(_ITEM).split(f"\n{_ITEM}")
        return Markup("<ul>{}</ul>").format(
            Markup().join(Markup("<li>{}</li>").format(_inline(item)) for item in items)
        )
    return Markup("<p>{}</p>").format(_inline("\n".join(lines)))


def _heading(level: int, words: str, names: Counter[str]) -> Markup:
    name = re.sub(r"[^\w -]", "", words.lower()).replace(" ", "-")
    place = f"{name}-{names[name]}" if names[name] else name
    names[name] += 1
    return Markup('<h{0} id="{1}">{2}</h{0}>').format(level, place, _inline(words))


def _table(lines: Sequence[str], number: int) -> Markup:
    heads, _, *rows = ([cell.strip() for cell in line.strip(_ROW).split(_ROW)] for line in lines)
    return Markup(
        '<div class="scroll" tabindex="0" role="region" aria-label="Table {}"><table>'
        "<thead><tr>{}</tr></thead><tbody>{}</tbody></table></div>"
    ).format(
        number,
        Markup().join(
            Markup('<th scope="col" class="words">{}</th>').format(_inline(head)) for head in heads
        ),
        Markup().join(
            Markup("<tr>{}</tr>").format(
                Markup().join(
                    Markup('<td class="words">{}</td>').format(_inline(cell)) for cell in row
                )
            )
            for row in rows
        ),
    )


def _inline(text: str) -> Markup:
    """Return the text of a block with what is marked in it."""
    found, end = Markup(), 0
    for one in _INLINE.finditer(text):
        found += escape(text[end : one.start()])
        if one["code"]:
            found += Markup("<code>{}</code>").format(one["code"])
        elif one["link"]:
            found += Markup('<a href="#{}">{}</a>').format(one["place"], _inline(one["link"]))
        else:
            kind = "strong" if one["strong"] else "em"
            found += Markup("<{0}>{1}</{0}>").format(kind, _inline(one[kind]))
        end = one.end()
    return found + escape(text[end:])
