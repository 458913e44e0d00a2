"""``salvo check``: hold a bot to the protocol and the rules, and show where it fails."""

from collections.abc import Iterator

import click
import msgspec

from arena.conformance import Exchange, Step
from arena.conformance import check as check_bot
from arena.entrants import parse_entrant
from arena.records import Settings
from arena.rules import Rules
from salvo.cli.options import bundled_bots, choose_level, isolation_option, rules_option
from salvo.cli.renamed import refuse_old_names

__all__ = ["check", "failed", "show_steps", "summary"]

_MARKS = {"ok": "ok", "warning": "warn", "failed": "FAIL", "skipped": "-"}
_COLOURS = {"ok": "green", "warning": "yellow", "failed": "red", "skipped": None}
_SHOWN_CHARACTERS = 600
_SHOWN_STDERR_LINES = 20


@click.command()
@click.argument("bot", callback=refuse_old_names)
@rules_option
@isolation_option
@click.option(
    "--move-time",
    type=click.FloatRange(min=0.01, max=86_400),
    default=Settings().move_s,
    show_default=True,
    help="Seconds for one answer.",
)
@click.option(
    "--format",
    "format_",
    type=click.Choice(["table", "json"]),
    default="table",
    show_default=True,
    help="The form of the output.",
)
def check(*, bot: str, rules: Rules, isolation: str, move_time: float, format_: str) -> None:
    """Check that BOT keeps to the protocol and the rules.

    BOT is a bundled bot, a file, a folder with a bot.py, or a command in quotes. Where a step
    fails, the exchange that failed is shown, and the exit code is 1. A warning is nothing that
    a bot would lose a game by.
    """
    entrant = parse_entrant(bot, bundled_bots())
    settings = Settings(move_s=move_time)
    level = choose_level(isolation).level
    steps = check_bot(entrant.program, rules, settings, level)
    if format_ == "json":
        done = list(steps)
        report = {
            "bot": entrant.name,
            "rules": rules.name,
            "isolation": level.value,
            "ok": not failed(done),
            "steps": msgspec.to_builtins(done),
        }
        click.echo(msgspec.json.format(msgspec.json.encode(report), indent=2))
    else:
        click.echo(f"{entrant.name}: {rules.name}, isolation {level}, {move_time:g} s a move\n")
        done = list(show_steps(steps))
        click.echo(f"\n{summary(done)}")
    if failed(done):
        raise click.exceptions.Exit(1)


def failed(steps: list[Step]) -> bool:
    """Tell whether a step failed."""
    return any(step.verdict == "failed" for step in steps)


def show_steps(steps: Iterator[Step], *, err: bool = False) -> Iterator[Step]:
    """Print each step as it is done, on stderr if ``err``, and yield it."""
    for step in steps:
        mark = click.style(f"{_MARKS[step.verdict]:4}", fg=_COLOURS[step.verdict])
        seconds = "" if step.verdict == "skipped" else f"{step.seconds:.2f} s"
        # What a bot says of itself is shown as it is, but for what could drive the terminal.
        line = f"{step.number:3}  {mark}  {step.title:38} {seconds:>8}  {_printable(step.detail)}"
        click.echo(line.rstrip(), err=err)
        if step.exchange is not None:
            _show_exchange(step.exchange, err=err)
        yield step


def _show_exchange(exchange: Exchange, *, err: bool) -> None:
    received = "nothing" if exchange.received is None else exchange.received
    for title, text in [
        ("sent", exchange.sent),
        ("came back", received),
        ("expected", exchange.expected),
    ]:
        click.echo(f"\n  {title + ':':11} {_short(_printable(text))}", err=err)
    lines = exchange.stderr.rstrip().split("\n")[-_SHOWN_STDERR_LINES:]
    click.echo(f"\n  {'stderr:':11} {'' if any(lines) else 'nothing'}".rstrip(), err=err)
    for line in lines if any(lines) else []:
        click.echo(f"    {_printable(line)}", err=err)
    click.echo(err=err)


def summary(steps: list[Step]) -> str:
    """Return how many steps came out how."""
    counts = {verdict: sum(1 for step in steps if step.verdict == verdict) for verdict in _MARKS}
    told = [f"{count} {verdict}" for verdict, count in counts.items() if count]
    return f"{len(steps)} steps: {', '.join(told)}"


def _short(text: str) -> str:
    if len(text) <= _SHOWN_CHARACTERS:
        return text
    return f"{text[:_SHOWN_CHARACTERS]}... ({len(text)} characters)"


def _printable(text: str) -> str:
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)
