"""A recorded game as a section of a page: the boards and the posterior, with a slider."""

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from arena.records import Game
from arena.replay import replay
from arena.rules import CellsReport, Rules, Salvo, Seat, State, other, row_name
from bots.tactics.posterior import MAX_CELLS, Effort
from leaderboards import report
from leaderboards.replays import Frame, Panel, replay_figure
from leaderboards.report import Drawing, Section
from salvo.reports.boards import CellState, cell_states
from salvo.reports.game_text import describe_end, describe_game, describe_salvo, seat_names
from salvo.reports.posteriors import FULL_EFFORT, Glimpse, glimpses, why_no_posterior
from salvo.reports.progress import Progress, no_progress

__all__ = ["renamed_game", "replay_page", "replay_section"]

_BOARDS = (
    "Boards as the salvo left them: X is a hit, o a miss; ships are grey, orange where they were "
    "hit, red when sunk. Rings mark the salvo. The buttons, the slider and the arrow keys go from "
    "salvo to salvo."
)
_POSTERIOR = (
    "Posterior: how likely a ship of the opponent lies on each cell, given what had been reported "
    "to the seat that fires before the salvo, every layout equally likely beforehand. Where it is "
    "sampled, the error given is the largest standard error of a cell."
)


def renamed_game(game: Game, names: Mapping[str, str]) -> Game:
    """Return a game with its bots under other names."""
    fixture = game.fixture
    second = None if fixture.second is None else names.get(fixture.second, fixture.second)
    first = names.get(fixture.first, fixture.first)
    return replace(game, fixture=replace(fixture, first=first, second=second))


def replay_section(  # noqa: PLR0913 - three of them have a default
    game: Game,
    rules: Rules,
    effort: Effort,
    *,
    most_cells: int = MAX_CELLS,
    why: str = "",
    progress: Progress = no_progress,
) -> Section:
    """Return the section.

    Args:
        game: The game.
        rules: Its rules. If no posterior can be computed by them, a note says so.
        effort: How much work one posterior may take.
        most_cells: Cells of the board beyond which the posterior is left out, and a note says so.
        why: A sentence on why this game is shown.
        progress: Follows the posteriors, salvo by salvo.
    """
    without = why_no_posterior(rules)
    if without is None and rules.cells > most_cells:
        without = (
            f"No posterior is shown: on {rules.cells} cells it takes long; "
            f"`salvo replay {game.fixture.id} --posterior` shows it."
        )
    moments = list(_moments(game, rules))
    known: Iterable[Glimpse | None] = itertools.repeat(None)
    if not without:
        found = glimpses(rules, [moment.salvo for moment in moments], effort)
        known = progress(found, len(moments), "salvos")
    frames = _frames(game, rules, moments, known)
    notes = [why, f"Game {describe_game(game, rules)}. {describe_end(game)}."]
    drawings = []
    if frames:
        rows = [row_name(row) for row in range(rules.rows)]
        columns = [str(column + 1) for column in range(rules.columns)]
        figure = replay_figure(frames, rows, columns)
        caption = "Salvo by salvo"
        drawings.append(Drawing(caption, figure, wide=True))
        notes += [_BOARDS, without or _POSTERIOR]
    else:
        notes.append("No salvo was fired.")
    names = seat_names(game)
    return Section(
        name="replay",
        heading=f"Replay: {names['first']} against {names['second']}",
        notes=tuple(note for note in notes if note),
        drawings=tuple(drawings),
    )


def replay_page(game: Game, rules: Rules, progress: Progress = no_progress) -> str:
    """Return a game as one HTML page: its boards and, where one can be shown, its posterior."""
    names = seat_names(game)
    return report.html(
        title=f"Salvo game: {names['first']} against {names['second']}, rules {rules.name}",
        about=f"Game {game.fixture.id}",
        further=[replay_section(game, rules, FULL_EFFORT, progress=progress)],
    )


class _Moment(NamedTuple):
    """A salvo of a game, the turn in which it was fired, and the state that it led to."""

    salvo: Salvo
    turn: int
    after: State


def _moments(game: Game, rules: Rules) -> Iterator[_Moment]:
    for before, after in itertools.pairwise(replay(game, rules)):
        salvo = after.salvo
        if salvo is not None and salvo is not before.salvo:
            yield _Moment(salvo, before.turns[0 if salvo.by == "first" else 1], after)


def _frames(
    game: Game, rules: Rules, moments: Sequence[_Moment], known: Iterable[Glimpse | None]
) -> list[Frame]:
    """Return a frame for each salvo; all have the posterior among their panels, or none."""
    names = seat_names(game)
    charts: dict[Seat, list[CellState]] = {
        "first": ["water"] * rules.cells,
        "second": ["water"] * rules.cells,
    }
    frames = []
    # Without a posterior, `known` repeats None without end; the salvos end the loop.
    for number, (moment, glimpse) in enumerate(zip(moments, known, strict=False), 1):
        salvo, seat = moment.salvo, moment.salvo.by
        lines = [
            f"Salvo {number} of {len(moments)}: turn {moment.turn}"
            + ("" if moment.after.solo else f", {seat} seat"),
            f"{names[seat]}: {describe_salvo(salvo, rules)}",
        ]
        panels = _boards(names, moment, rules)
        if glimpse is not None:
            lines.append(f"Posterior: {glimpse.told}")
            panels.append(_posterior(names[seat], charts[seat], glimpse, salvo))
            _note(charts[seat], salvo)
        if number == len(moments):
            lines.append(describe_end(game))
        frames.append(Frame(lines, panels))
    return frames


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
    """Write what was reported of a salvo into the chart of the seat that fired it."""
    assert isinstance(salvo.report, CellsReport)
    for cell in salvo.cells:
        chart[cell] = "hit" if cell in salvo.report.hits else "miss"
