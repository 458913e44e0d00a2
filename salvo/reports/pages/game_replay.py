"""Prepares a recorded game to be watched, with the posterior and what its salvos cost."""

import itertools
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from arena.records import Game
from arena.rules import Rules, row_name
from bots.tactics.posterior.posterior import Effort
from leaderboards.display.animation import animated_svg
from leaderboards.display.replay_frames import Frame, Panel, Replay
from salvo.reports.pages.game_frames import BOARDS, frames_of, moments_of
from salvo.reports.pages.posteriors import FULL_EFFORT, Glimpse, glimpses, why_no_posterior
from salvo.reports.tables.analysis import Analysis, analysis_of, salvo_lines, summary
from salvo.reports.words.game_text import describe_end, describe_game, seat_names
from salvo.reports.work_progress import Progress, no_progress

if TYPE_CHECKING:
    from salvo.reports.pages.featured_games import FeaturedGame

_POSTERIOR = (
    "Posterior: how likely a ship of the opponent lies on each cell, given what had been reported "
    "to the seat that fires before the salvo, every layout equally likely beforehand. Where it is "
    "sampled, the error given is the largest standard error of a cell."
)

_COSTS = (
    "Cost: how many more shots or turns are expected to be needed after the salvo than after the "
    "best one that is known, by the value network of value_search; a few hundredths say nothing. "
    "The bars show it salvo by salvo."
)

_CONTESTED = (0.25, 0.75)


def replay_of(  # noqa: PLR0913 - a game, and what is shown beside it
    game: Game,
    rules: Rules,
    effort: Effort | None,
    *,
    featured: "FeaturedGame | None" = None,
    analysis: Analysis | None = None,
    progress: Progress = no_progress,
) -> Replay:
    """Return a game to watch, with the posteriors that the effort allows; without one, with none.

    If no posterior can be computed by the rules, a note says so.
    """
    moments = list(moments_of(game, rules))
    without = why_no_posterior(rules)
    known: Iterable[Glimpse | None] = itertools.repeat(None)
    if without is None and effort is None:
        without = f"`salvo replay {game.fixture.id} --posterior` shows what the bots could know."
    elif without is None and effort is not None:
        salvos = [moment.salvo for moment in moments]
        found = glimpses(rules, salvos, effort, solo=game.fixture.second is None)
        known = progress(found, len(moments), "salvos")
    frames = frames_of(seat_names(game), rules, moments, known, f"{describe_end(game)}.")
    if analysis is not None:
        frames = _analysed(frames, analysis, game, rules)
    names = seat_names(game)
    notes = [f"Game {describe_game(game, rules)}. {describe_end(game)}."]
    notes += [] if frames else ["No salvo was fired."]
    notes += [] if analysis is None else summary(analysis, game, rules)
    return Replay(
        key="game" if featured is None else featured.key,
        label="The game" if featured is None else featured.label,
        heading=f"{names['first']} against {names['second']}",
        bots=[game.fixture.first, *([game.fixture.second] if game.fixture.second else [])],
        notes=notes,
        legend=[BOARDS, without or _POSTERIOR, *([_COSTS] * (analysis is not None))]
        if frames
        else [],
        rows=[row_name(row) for row in range(rules.rows)],
        columns=[str(column + 1) for column in range(rules.columns)],
        frames=frames,
        why="" if featured is None else featured.why,
        start=1 if featured is None else moment_of_choice(frames),
    )


def moment_of_choice(frames: Sequence[Frame]) -> int:
    """Return the number of the salvo before which most cells were neither likely nor unlikely.

    That is a probability of a quarter to three quarters by the posterior, on cells not yet shot. It
    is one of the middle half of the game, and the middle itself where no posterior is shown.
    """
    start, end = len(frames) // 4, len(frames) - len(frames) // 4
    middle = len(frames) // 2
    numbers = sorted(range(start + 1, end + 1), key=lambda number: abs(number - middle))
    contested = [max(map(_contested, frame.panels), default=0) for frame in frames]
    return max(numbers, key=lambda number: contested[number - 1], default=1)


def _contested(panel: Panel) -> int:
    chances = () if panel.chances is None else panel.chances
    low, high = _CONTESTED
    return sum(
        mark == "water" and low <= chance <= high
        for mark, chance in zip(panel.marks, chances, strict=False)
    )


def replay_page(game: Game, rules: Rules, progress: Progress = no_progress) -> str:
    """Return a game as one HTML page: its boards and, where one can be shown, its posterior."""
    analysis = analysis_of(game, rules, progress)
    shown = replay_of(game, rules, FULL_EFFORT, analysis=analysis, progress=progress)
    from leaderboards.display import html_page  # noqa: PLC0415 - to show a game needs no pandas

    return html_page.html(
        title=f"Salvo game: {shown.heading}, rules {rules.name}",
        about=f"Game {game.fixture.id}",
        replays=[shown],
    )


def game_animation(
    game: Game, rules: Rules, *, posterior: bool, progress: Progress = no_progress
) -> str | None:
    """Return a game as an animated SVG; None if no salvo was fired in it."""
    shown = replay_of(game, rules, FULL_EFFORT if posterior else None, progress=progress)
    return animated_svg(shown) if shown.frames else None


def game_drawing(
    game: Game, rules: Rules, kind: str, *, posterior: bool, progress: Progress = no_progress
) -> bytes | None:
    """Return a game as a "gif", or its end as a "png"; None if no salvo was fired in it.

    Raises:
        ModuleNotFoundError: If Pillow, which draws them, is not installed.
    """
    from leaderboards.display import raster  # noqa: PLC0415 - it needs an extra

    shown = replay_of(game, rules, FULL_EFFORT if posterior else None, progress=progress)
    if not shown.frames:
        return None
    return raster.gif(shown) if kind == "gif" else raster.png(shown)


def _analysed(frames: Sequence[Frame], analysis: Analysis, game: Game, rules: Rules) -> list[Frame]:
    """Return frames with what each salvo cost, and the luck in it."""
    solo = game.fixture.second is None
    return [
        Frame(
            [*frame.lines, *salvo_lines(analysis, number, rules, solo=solo)],
            frame.panels,
            None if cost is None else cost.cost,
        )
        for number, (frame, cost) in enumerate(zip(frames, analysis.costs, strict=True))
    ]
