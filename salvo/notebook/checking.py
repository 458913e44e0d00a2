"""Checks a bot from a notebook or a script, as `salvo check` does."""

from collections.abc import Sequence
from html import escape

from arena.conformance import Step
from arena.conformance import check as check_bot
from arena.entrants import Terms, refuse_unasked
from arena.isolation import AUTO
from arena.records import Settings
from arena.text import printable
from salvo.notebook.running import RulesLike, choose_isolation
from salvo.notebook.wording import errors_in_python, in_python
from salvo.playing.entering import BotLike, entrants_of
from salvo.reports.words.check_text import describe_step, failed, summary
from salvo.rule_files import read_rules

_COLOURS = {"ok": "green", "warning": "darkorange", "failed": "red", "skipped": "gray"}


class Check:
    """The result of checking a bot, step by step; true if no step failed."""

    def __init__(self, bot: str, rules: str, steps: Sequence[Step]) -> None:
        self.bot, self.rules, self.steps = bot, rules, steps

    def __bool__(self) -> bool:
        return not failed(self.steps)

    def __repr__(self) -> str:
        lines = [in_python(line) for step in self.steps for line in describe_step(step)]
        return "\n".join([f"{self.bot}: {self.rules}, {summary(self.steps)}", "", *lines])

    def _repr_html_(self) -> str:
        rows = "".join(map(_row, self.steps))
        title = f"<p><b>{escape(self.bot)}: {escape(self.rules)}, {summary(self.steps)}</b></p>"
        return f"{title}<table>{rows}</table>{''.join(map(_exchange, self.steps))}"


def _row(step: Step) -> str:
    style = f"text-align: left; color: {_COLOURS[step.verdict]}"
    short = "".join(
        f'<td style="{style}; white-space: nowrap">{escape(cell)}</td>'
        for cell in (str(step.number), step.verdict, step.title)
    )
    return f'<tr>{short}<td style="{style}">{escape(printable(in_python(step.detail)))}</td></tr>'


def _exchange(step: Step) -> str:
    """Return what is shown of a step below the table, if that is more than its reason."""
    _, *lines = describe_step(step)
    if not lines or (step.exchange is None and step.stderr.strip() in step.detail):
        return ""
    text = "\n".join(lines)
    return f"<pre>{escape(in_python(text))}</pre>"


@errors_in_python()
def check(
    bot: BotLike,
    *,
    rules: RulesLike = "salvo",
    isolation: str = AUTO,
    settings: Settings = Settings(),
    terms: Terms = Terms(),
) -> Check:
    """Check that a bot follows the protocol and the rules, and return what each step found.

    A class is checked in this process, and so without the steps that are about a program's lines.

    Args:
        bot: A bundled name, a path, a command, or a class of bots.
        rules: A preset, a TOML file, or the rules themselves.
        isolation: How isolated a program runs; see ``salvo.play``.
        settings: The time that it has, such as ``salvo.Settings(move_s=5)``.
        terms: What its TOML may ask for.

    Raises:
        arena.errors.UserError: If there is no such bot, or something else is impossible.
    """
    played = read_rules(rules)
    [entrant] = entrants_of([bot], terms)
    refuse_unasked(terms.secrets, {entrant.name: entrant.program.secrets})
    level = choose_isolation(isolation).level
    return Check(entrant.name, played.name, list(check_bot(entrant, played, settings, level)))
