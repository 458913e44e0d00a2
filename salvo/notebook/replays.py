"""Shows a recorded game below a cell: a page to step through, in a frame of its own."""

from dataclasses import replace
from html import escape

from arena.records import Game
from arena.rules import Rules
from leaderboards.display import html_page
from salvo.notebook.bar import progress_bar
from salvo.notebook.wording import in_python
from salvo.reports.pages.game_replay import replay_of
from salvo.reports.pages.posteriors import FULL_EFFORT
from salvo.reports.words.game_text import game_text

# The frame grows with its page, as where a note is opened.
_FRAME = (
    '<iframe srcdoc="{page}" title="{title}" width="100%" height="700" scrolling="no" '
    'style="display: block; border: 0" onload="const page = this.contentDocument.documentElement; '
    "new ResizeObserver(() => {{ this.style.height = page.offsetHeight + 'px'; }})"
    '.observe(page)"></iframe>'
)


class ShownGame:
    """A recorded game: a page to step through in a notebook, text at a prompt.

    Attributes:
        game: The game as it was recorded, with every step.
        rules: The rules it was played by.
    """

    def __init__(self, game: Game, rules: Rules, *, posterior: bool) -> None:
        self.game, self.rules = game, rules
        self._effort = FULL_EFFORT if posterior else None

    def __repr__(self) -> str:
        return game_text(self.game, self.rules)

    def _repr_html_(self) -> str:
        shown = replay_of(self.game, self.rules, self._effort, progress=progress_bar)
        shown = replace(shown, legend=[in_python(line) for line in shown.legend])
        page = html_page.html(title="", replays=[shown])
        return _FRAME.format(page=escape(page), title=escape(shown.heading))
