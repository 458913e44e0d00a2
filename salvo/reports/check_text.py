"""The steps of a conformance check in words."""

from collections.abc import Callable, Iterator, Sequence

from arena.conformance import Exchange, Step
from arena.text import printable

__all__ = ["describe_step", "failed", "summary"]

_MARKS = {"ok": "ok", "warning": "warn", "failed": "FAIL", "skipped": "-"}
_SHOWN_CHARACTERS = 600
_SHOWN_STDERR_LINES = 20

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
    """Yield the lines of a step: its verdict and, if it failed, the exchange.

    Args:
        step: The step.
        paint: Colours its mark; without it the mark is plain.
    """
    mark = paint(f"{_MARKS[step.verdict]:4}", step)
    seconds = "" if step.verdict == "skipped" else f"{step.seconds:.2f} s"
    # What a bot says of itself is shown as it is, except unprintable characters.
    line = f"{step.number:3}  {mark}  {step.title:38} {seconds:>8}  {printable(step.detail)}"
    yield line.rstrip()
    if step.exchange is not None:
        yield from _exchange(step.exchange)


def _exchange(exchange: Exchange) -> Iterator[str]:
    received = "nothing" if exchange.received is None else exchange.received
    for title, text in [
        ("sent", exchange.sent),
        ("came back", received),
        ("expected", exchange.expected),
    ]:
        yield f"\n  {title + ':':11} {_short(printable(text))}"
    lines = exchange.stderr.rstrip().split("\n")[-_SHOWN_STDERR_LINES:]
    yield f"\n  {'stderr:':11} {'' if any(lines) else 'nothing'}".rstrip()
    for line in lines if any(lines) else []:
        yield f"    {printable(line)}"
    yield ""


def _short(text: str) -> str:
    if len(text) <= _SHOWN_CHARACTERS:
        return text
    return f"{text[:_SHOWN_CHARACTERS]}... ({len(text)} characters)"
