"""Reports how far a run is: what is to be played, how long it takes, a bar, and who leads."""

import sys
import time

from tqdm import tqdm

from arena.executors import LOCAL
from salvo.cli.options.run_options import RunOptions
from salvo.cli.runs.so_far import SoFar
from salvo.cli.terminal.region import Region
from salvo.reports.words.durations import seconds_in_words

_LONG_S = 60.0  # A run that takes longer says so
_DRAWING = 0.01
"""The share of the time that drawing may take, which lasts the longer the more bots there are."""
_WIDEST = 100


class Following:
    """Follows a run, see ``progress`` of ``arena.tournament.run``; one ``tested`` may end early."""

    def __init__(self, region: Region, so_far: SoFar, run: RunOptions, *, tested: bool) -> None:
        self._region = region
        self._so_far = so_far
        self._run = run
        self._tested = tested
        self._began_s = time.monotonic()
        self._draws_next_s = self._began_s
        self._before: int | None = None
        self._blocks = 0
        self._told_time = False
        self.done = self.wanted = 0

    def __call__(self, done: int, wanted: int) -> None:
        """Take note of how many games are done, of how many."""
        self.done, self.wanted = done, wanted
        if self._before is None:
            self._before = done
            if done < wanted:
                there = f", beside {done:,} in {self._run.db}" if done else ""
                until = ", fewer if the test decides before" if self._tested else ""
                self.notify(f"{wanted - done:,} games to play{there}{until}")
        else:
            self._blocks += 1
        if done < wanted:
            self._draw(self._before)
        # When every worker has finished a block, the pace is known.
        if self._blocks >= self._run.workers and not self._told_time:
            self._told_time = True
            self._tell_time(done - self._before, wanted - done)

    def notify(self, text: str) -> None:
        """Say something above what is drawn."""
        self._region.say(f"salvo: {text}")

    def _draw(self, before: int) -> None:
        now_s = time.monotonic()
        if not self._region.shows or now_s < self._draws_next_s:
            return
        used_s = time.thread_time()
        bar = tqdm.format_meter(
            self.done,
            self.wanted,
            now_s - self._began_s,
            ncols=min(self._region.width, _WIDEST),
            ascii="utf" not in sys.stderr.encoding.lower(),
            unit=" games",
            initial=before,  # so that the rate counts what is played now
        )
        self._region.draw([bar, *self._so_far.lines(self._region.height - 1)])
        self._draws_next_s = now_s + (time.thread_time() - used_s) / _DRAWING

    def _tell_time(self, played: int, left: int) -> None:
        left_s = (time.monotonic() - self._began_s) / max(played, 1) * left
        if left_s > _LONG_S:
            self.notify(
                f"the first {played:,} games say that the other {left:,} take about "
                f"{seconds_in_words(left_s)}{' at most' if self._tested else ''}; Ctrl-C stops, "
                "and keeps what was played"
            )

    def announce_stop(self) -> str:
        """Return what to say when no more is begun: how long the blocks in play may take.

        A signal handler calls this, and prints it below what is drawn, so that is erased.
        """
        self._region.erase()
        if self._run.cluster not in (None, LOCAL):  # how many workers there are is not known here
            return "the games in play are finished first; Ctrl-C again stops at once"
        if self._blocks:
            elapsed_s = time.monotonic() - self._began_s
            takes_s = elapsed_s * min(self._run.workers, self._blocks) / self._blocks
            how_long = f"about {seconds_in_words(takes_s)} at most"
        else:
            how_long = "some seconds as a rule"
        return f"the games in play are finished first, in {how_long}; Ctrl-C again stops at once"
