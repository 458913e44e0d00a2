"""Prepares a recorded game to be watched: boards, what each salvo did, and the posterior."""

import itertools
import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from arena.records import Game
from arena.replay import Played, replay
from arena.rules import CellsReport, Rules, Salvo, Seat, State, other, row_name
from bots.tactics.posterior.posterior import Effort
from leaderboards.display.animation import animated_svg
from leaderboards.display.replay_frames import Frame, Panel, Replay
from salvo.reports.pages.posteriors import FULL_EFFORT, Glimpse, glimpses, why_no_posterior
from salvo.reports.tables.analysis import Analysis, analysis_of, salvo_lines, summary
from salvo.reports.words.board_text import CellState, cell_states
from salvo.reports.words.game_text import (
    describe_end,
    describe_game,
    report_in_words,
    salvo_in_words,
    seat_names,
)
from salvo.reports.work_progress import Progress, no_progress

if TYPE_CHECKING:
    from salvo.reports.pages.featured_games import FeaturedGame

_BOARDS = (
    "Boards as the salvo left them: X is a hit, o a miss; ships are grey, orange where they were "
    "hit, red when sunk. Rings mark the salvo. The arrow keys go from salvo to salvo too."
)
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


def renamed_game(game: Game, names: Mapping[str, str]) -> Game:
    """Return a game with its bots under other names."""
    fixture = game.fixture
    second = None if fixture.second is None else names.get(fixture.second, fixture.second)
    first = names.get(fixture.first, fixture.first)
    return replace(game, fixture=replace(fixture, first=first, second=second))


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
    moments = list(_moments(game, rules))
    without = why_no_posterior(rules)
    known: Iterable[Glimpse | None] = itertools.repeat(None)
    if without is None and effort is None:
        without = f"`salvo replay {game.fixture.id} --posterior` shows what the bots could know."
    elif without is None and effort is not None:
        salvos = [moment.salvo for moment in moments]
        found = glimpses(rules, salvos, effort, solo=game.fixture.second is None)
        known = progress(found, len(moments), "salvos")
    frames = _frames(seat_names(game), rules, moments, known, f"{describe_end(game)}.")
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
        legend=[_BOARDS, without or _POSTERIOR, *([_COSTS] * (analysis is not None))]
        if frames
        else [],
        rows=[row_name(row) for row in range(rules.rows)],
        columns=[str(column + 1) for column in range(rules.columns)],
        frames=frames,
        why="" if featured is None else featured.why,
        start=1 if featured is None else moment_of_choice(frames),
    )


def replay_so_far(game: Played, rules: Rules, *, end: str | None = None, after: int = 0) -> Replay:
    """Return a game in play to watch, without posteriors, from the salvo after some number on.

    ``end`` says how it ended, if it did.
    """
    names = seat_names(game)
    moments = list(itertools.islice(_moments(game, rules), after, None))
    frames = _frames(names, rules, moments, itertools.repeat(None), end)
    return Replay(
        key="game",
        label="The game",
        heading=f"{names['first']} against {names['second']}",
        bots=[game.fixture.first, *([game.fixture.second] if game.fixture.second else [])],
        notes=[],
        legend=[_BOARDS],
        rows=[row_name(row) for row in range(rules.rows)],
        columns=[str(column + 1) for column in range(rules.columns)],
        frames=frames,
    )


def reported_salvos(game: Played, rules: Rules, after: int = 0) -> list[str]:
    """Return of each salvo after the first so many what was reported to who fired it, in words."""
    names = seat_names(game)
    moments = itertools.islice(_moments(game, rules), after, None)
    return [report_in_words(moment.salvo, rules, names) for moment in moments]


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


class _Moment(NamedTuple):
    number: int  # of the salvo
    turn: int
    salvo: Salvo
    before: State
    after: State


def _moments(game: Played, rules: Rules) -> Iterator[_Moment]:
    """Yield the salvos of a game, each with its turn and the states before and after."""
    number = 0
    for before, after in itertools.pairwise(replay(game, rules)):
        salvo = after.salvo
        if salvo is not None and salvo is not before.salvo:
            number += 1
            turn = before.turns[0 if salvo.by == "first" else 1]
            yield _Moment(number, turn, salvo, before, after)


def _frames(
    names: Mapping[Seat, str],
    rules: Rules,
    moments: Sequence[_Moment],
    known: Iterable[Glimpse | None],
    end: str | None,
) -> list[Frame]:
    """Return a frame for each salvo; all have the posterior among their panels, or none.

    ``end`` says how the game ended; None if it is in play.
    """
    charts: dict[Seat, list[CellState]] = {
        "first": ["water"] * rules.cells,
        "second": ["water"] * rules.cells,
    }
    frames = []
    last = moments[-1].number if moments else 0
    of = "" if end is None else f" of {last}"
    # Without a posterior, `known` repeats None without end; the salvos end the loop.
    for moment, glimpse in zip(moments, known, strict=False):
        salvo, seat = moment.salvo, moment.salvo.by
        lines = [
            f"Salvo {moment.number}{of}: turn {moment.turn}"
            + ("" if moment.after.solo else f", {seat} seat"),
            salvo_in_words(moment.before, moment.after, rules, names),
        ]
        panels = _boards(names, moment, rules)
        if glimpse is not None:
            lines.append(f"Posterior: {glimpse.told}")
            panels.append(_posterior(names[seat], charts[seat], glimpse, salvo))
            _note(charts[seat], salvo)
        if end is not None and moment.number == last:
            lines.append(end)
        frames.append(Frame(lines, panels))
    return frames


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


def _posterior(name: str, chart: Sequence[CellState], glimpse: Glimpse, salvo: Salvo) -> Panel:
    chances = [math.nan] * len(chart) if glimpse.cells is None else glimpse.cells.tolist()
    return Panel(name, "posterior before the salvo", tuple(chart), chances, salvo.cells)


def _boards(names: Mapping[Seat, str], moment: _Moment, rules: Rules) -> list[Panel]:
    target = other(moment.salvo.by)
    solo = moment.after.solo
    panels = []
    for seat in ("first", "second"):
        waters = moment.after.waters.of(seat)
        if waters is not None:
            states = cell_states(waters, rules.cells)
            fired = moment.salvo.cells if seat == target else ()
            kind = "ships" if solo else f"{seat} seat's ships"
            panels.append(Panel(names[seat], kind, states, None, fired))
    return panels


def _note(chart: list[CellState], salvo: Salvo) -> None:
    """Write what was reported of a salvo into the chart of the seat that fired it.

    Where hits are only counted, cells are known if all of them hit or none did.
    """
    if isinstance(salvo.report, CellsReport):
        hits: Collection[int] = salvo.report.hits
    elif salvo.report.hits in (0, len(salvo.cells)):
        hits = salvo.cells if salvo.report.hits else ()
    else:
        return
    for cell in salvo.cells:
        chart[cell] = "hit" if cell in hits else "miss"
