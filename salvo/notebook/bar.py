"""Shows how far work is, by a bar: in the cell of a notebook or at a terminal, and nowhere else."""

import sys
import time
from collections.abc import Iterable
from contextlib import closing
from typing import Any, Protocol, TypeVar

from tqdm import tqdm

EVERY_S = 0.1
"""Time between two drawings of a bar in a notebook: each is a message to the browser."""

Step = TypeVar("Step")


class Bar(Protocol):
    """Shows how much of some work is done, until it is closed."""

    def __call__(self, done: int, most: int) -> None:
        """Show how much is done, of how much."""
        ...

    def close(self) -> None:
        """Take the bar away."""
        ...


def make_bar(unit: str) -> Bar:
    """Return a bar for where this runs; the unit is what is counted, in the plural."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return _CellBar(unit) if hasattr(shell, "kernel") else _TerminalBar(unit)


def progress_bar(steps: Iterable[Step], total: int, unit: str) -> Iterable[Step]:
    """Return steps with a bar; see ``salvo.reports.work_progress.Progress``."""
    with closing(make_bar(unit)) as bar:
        for done, step in enumerate(steps):
            bar(done, total)
            yield step


class _TerminalBar:
    """Draws on stderr if that is a terminal."""

    def __init__(self, unit: str) -> None:
        tqdm.monitor_interval = 0  # workers are forked, and its thread would be in the way
        self._bar = tqdm(unit=f" {unit}", disable=None, leave=False)

    def __call__(self, done: int, most: int) -> None:
        if self._bar.total != most:
            self._bar.reset(most)
            self._bar.initial = done  # so that the rate counts what is played now
        self._bar.update(done - self._bar.n)

    def close(self) -> None:
        self._bar.close()


class _CellBar:
    """Draws below the cell that runs, as any front end of Jupyter can without an extension."""

    def __init__(self, unit: str) -> None:
        self._unit = unit
        self._began_s = self._drawn_s = time.monotonic()
        self._first: int | None = None
        self._handle: Any = None

    def __call__(self, done: int, most: int) -> None:
        now_s = time.monotonic()
        if self._first is None:
            self._first = done
        elif now_s - self._drawn_s < EVERY_S:
            return
        self._drawn_s = now_s
        elapsed_s = now_s - self._began_s
        told = tqdm.format_meter(
            done,
            most,
            elapsed_s,
            unit=f" {self._unit}",
            initial=self._first,
            bar_format="{n:,} of {total:,}{unit}, {elapsed} so far, {remaining} left",
        )
        # Without a value it moves: nothing is known of the pace before a block is finished.
        value = f' value="{done}"' if done > self._first else ""
        self._draw(f'<progress max="{most}"{value}></progress> {told}', told)

    def close(self) -> None:
        if self._handle is not None:
            self._draw("", "")

    def _draw(self, html: str, text: str) -> None:
        from IPython.display import display  # noqa: PLC0415 - only a notebook has it

        shown = {"text/html": html, "text/plain": text}
        if self._handle is None:
            self._handle = display(shown, raw=True, display_id=True)
        else:
            self._handle.update(shown, raw=True)
