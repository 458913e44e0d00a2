"""Reports how far a run is: what is to be played, how long it takes, and a progress bar."""

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from arena.executors import LOCAL
from arena.records import LAYOUTS_PER_BLOCK, PAIRS_PER_BLOCK_OF_A_FIELD
from salvo.cli.options.run_options import RunOptions
from salvo.reports.words.durations import seconds_in_words

if TYPE_CHECKING:
    from tqdm import tqdm

_LONG_S = 60.0  # A run that takes longer says so


class Following:
    """Follows a run, see ``progress`` of ``arena.tournament.run``; one ``tested`` may end early."""

    def __init__(
        self,
        bar: "tqdm[Any]",
        run: RunOptions,
        notify: Callable[[str], object],
        *,
        tested: bool = False,
    ) -> None:
        self._bar = bar
        self._run = run
        self._notify = notify
        self._tested = tested
        self._began_s = time.monotonic()
        self._before: int | None = None
        self._blocks = 0
        self._told_time = False
        self.done = self.wanted = 0

    def __call__(self, done: int, wanted: int) -> None:
        """Take note of how many games are done, of how many."""
        if self._before is None:
            self._before = self.done = done
            self._bar.reset(wanted)
            self._bar.initial = done  # so that the rate counts what is played now
            if done < wanted:
                there = f", beside {done:,} in {self._run.db}" if done else ""
                until = ", fewer if the test decides before" if self._tested else ""
                self._notify(f"{wanted - done:,} games to play{there}{until}")
        else:
            self._blocks += 1
        self._bar.update(done - self.done)
        self.done, self.wanted = done, wanted
        # When every worker has finished a block, the pace is known.
        if self._blocks >= self._run.workers and not self._told_time:
            self._told_time = True
            self._tell_time(done - self._before, wanted - done)

    def _tell_time(self, played: int, left: int) -> None:
        left_s = (time.monotonic() - self._began_s) / max(played, 1) * left
        if left_s > _LONG_S:
            self._notify(
                f"the first {played:,} games say that the other {left:,} take about "
                f"{seconds_in_words(left_s)}{' at most' if self._tested else ''}; Ctrl-C stops, "
                "and keeps what was played"
            )

    def announce_stop(self) -> str:
        """Return what to say when no more is begun: how long the blocks in play may take."""
        if self._run.cluster not in (None, LOCAL):  # who knows how many workers there are
            return "the games in play are finished first; Ctrl-C again stops at once"
        if self._blocks:
            elapsed_s = time.monotonic() - self._began_s
            takes_s = elapsed_s * min(self._run.workers, self._blocks) / self._blocks
            how_long = f"about {seconds_in_words(takes_s)} at most"
        else:
            clocks = 2 * self._run.settings.game_s
            games = max(2 * PAIRS_PER_BLOCK_OF_A_FIELD, LAYOUTS_PER_BLOCK)
            how_long = f"seconds as a rule, {seconds_in_words(games * clocks)} at the very most"
        return f"the games in play are finished first, in {how_long}; Ctrl-C again stops at once"
