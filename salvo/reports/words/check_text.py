"""Describes the steps of a conformance check."""

from collections.abc import Callable, Iterator, Sequence

from arena.conformance import Exchange, Step
from arena.text import printable
from salvo.reports.words.stderr_text import last_lines

_MARKS = {"ok": "ok", "warning": "warn", "failed": "FAIL", "skipped": "-"}
_SHOWN_CHARACTERS = 600
_LINES_OF_FAILURE, _LINES_OTHERWISE = 20, 5
"""The number of last lines of a bot's stderr that are shown."""

Paint = Callable[[str, Step], str]
"""Returns the mark of a step as it is to be shown."""


def failed(steps: Sequence[Step]) -> bool:
    """Return whether a step failed."""
    return any(step.verdict == "failed" for step in steps)


def summary(steps: Sequence[Step]) -> str:
    """Return how many steps passed, failed and so on."""
    counts = {verdict: sum(1 for step in steps if step.verdict == verdict) for verdict in _MARKS}
    parts = [f"{count} {verdict}" for verdict, count in counts.items() if count]
    return f"{len(steps)} steps: {', '.join(parts)}"


def describe_step(step: Step, paint: Paint = lambda mark, _: mark) -> Iterator[str]:
    """Yield the lines of a step: its verdict, the exchange if it failed, and the bot's stderr."""
    mark = paint(f"{_MARKS[step.verdict]:4}", step)
    seconds = "" if step.verdict == "skipped" else f"{step.seconds:.2f} s"
    # What a bot says of itself is shown as it is, except unprintable characters.
    line = f"{step.number:3}  {mark}  {step.title:38} {seconds:>8}  {printable(step.detail)}"
    yield line.rstrip()
    if step.exchange is not None:
        yield from _exchange(step.exchange)
        lines = list(last_lines(step.stderr, _LINES_OF_FAILURE))
        yield f"\n  {'stderr:':11} {'' if lines else 'nothing'}".rstrip()
        yield from (f"    {line}" for line in lines)
        yield ""
    else:
        most = _LINES_OF_FAILURE if step.verdict == "failed" else _LINES_OTHERWISE
        yield from (f"       stderr: {line}" for line in last_lines(step.stderr, most))


def _exchange(exchange: Exchange) -> Iterator[str]:
    received = "nothing" if exchange.received is None else exchange.received
    for title, text in [
        ("sent", exchange.sent),
        ("came back", received),
        ("expected", exchange.expected),
    ]:
        first, *others = text.split("\n")
        yield f"\n  {title + ':':11} {_short(printable(first))}"
        yield from (f"  {'':11} {_short(printable(other))}" for other in others)


def _short(text: str) -> str:
    if len(text) <= _SHOWN_CHARACTERS:
        return text
    return f"{text[:_SHOWN_CHARACTERS]}... ({len(text)} characters)"
