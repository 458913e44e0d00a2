"""The protocol's Markdown as HTML."""

import re

import pytest

from salvo.server.web.downloads import protocol
from salvo.server.web.markdown import rendered


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("# Title\n\nWords\nin *two* lines.", "<p>Words\nin <em>two</em> lines.</p>"),
        ("## The `end`", '<h3 id="the-end">The <code>end</code></h3>'),
        ("### A\n\n### A", '<h4 id="a">A</h4>\n<h4 id="a-1">A</h4>'),
        (
            "- one\n- **two**,\n  long",
            "<ul>\n<li>one</li>\n<li><strong>two</strong>,\nlong</li>\n</ul>",
        ),
        ("see [`a`](#a-1).", '<p>see <a href="#a-1"><code>a</code></a>.</p>'),
        ("```\n*a*\n\n- b\n```", '<pre class="words" tabindex="0">*a*\n\n- b</pre>'),
        ("`<b>` & <script>", "<p><code>&lt;b&gt;</code> &amp; &lt;script&gt;</p>"),
    ],
)
def test_markdown_is_written_as_html(text: str, html: str) -> None:
    assert rendered(text) == html


def test_table_has_a_head_and_rows() -> None:
    html = rendered("| a | b |\n|---|---|\n| `x` | y |\n| z | |")
    assert re.findall("<th [^>]*>(.*?)</th>", html) == ["a", "b"]
    assert re.findall("<td [^>]*>(.*?)</td>", html) == ["<code>x</code>", "y", "z", ""]


def test_every_link_of_the_protocol_leads_to_a_heading() -> None:
    html = protocol()
    places = re.findall('id="([^"]+)"', html)
    assert len(places) == len(set(places)) > 20
    assert set(re.findall('href="#([^"]+)"', html)) <= set(places)


def test_nothing_of_the_markdown_is_left_in_the_protocol() -> None:
    words = re.sub("<pre.*?</pre>|<code>.*?</code>|<[^>]+>", "", protocol(), flags=re.DOTALL)
    assert re.findall(r"`|\*|\||\]\(|^#", words, re.MULTILINE) == []


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "a <img src=x onerror=alert(1)>",
        "[a](javascript:alert(1))",
        "[a](<JaVaScRiPt:alert(1)>)",
        "[a](data:text/html;base64,eA==)",
        "![a](https://elsewhere/b.png)",
        "<javascript:alert(1)>",
        '[a](#b "x" onclick="alert(1)")',
        "## a <b onclick=alert(1)>",
        "```\n</pre><script>\n```",
        "| <script> |\n|---|\n| <b onclick=x> |",
        "`</code><script>`",
    ],
)
def test_nothing_unsafe_passes(text: str) -> None:
    allowed = r'</?(?:p|a|h3|h4|pre|code|div|table|thead|tbody|tr|th|td)(?: [a-z-]+="[^"<>]*")*>'
    html = rendered(text)
    assert "<" not in re.sub(allowed, "", html)
    tags = "".join(re.findall(allowed, html))
    assert not re.search(r" on\w+=|javascript:|data:|<img", tags, re.IGNORECASE)


def test_links_to_files_beside_the_document_lead_nowhere() -> None:
    text = "[a](../docs/host.md) [b](#here) [c](https://example.org/) [d](/games)"
    html = rendered(text)
    assert "host.md" not in html
    assert "<a>a</a>" in html
    for address in ("#here", "https://example.org/", "/games"):
        assert f'href="{address}"' in html
