"""Shows the salvos of a game, which may be in play: boards, and what each salvo did."""

import itertools
import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from arena.records import Game
from arena.replay import Played, replay
from arena.rules import CellsReport, Rules, Salvo, Seat, State, other, row_name
from leaderboards.display.replay_frames import Frame, Panel, Replay
from salvo.reports.words.board_text import CellState, cell_states
from salvo.reports.words.game_text import report_in_words, salvo_in_words, seat_names

if TYPE_CHECKING:
    from salvo.reports.pages.posteriors import Glimpse

BOARDS = (
    "Boards as the salvo left them: X is a hit, o a miss; ships are grey, orange where they were "
    "hit, red when sunk. Rings mark the salvo. The arrow keys go from salvo to salvo too."
)


def renamed_game(game: Game, names: Mapping[str, str]) -> Game:
    """Return a game with its bots under other names."""
    fixture = game.fixture
    second = None if fixture.second is None else names.get(fixture.second, fixture.second)
    first = names.get(fixture.first, fixture.first)
    return replace(game, fixture=replace(fixture, first=first, second=second))


def replay_so_far(game: Played, rules: Rules, *, end: str | None = None, after: int = 0) -> Replay:
    """Return a game in play to watch, without posteriors, from the salvo after some number on.

    ``end`` says how it ended, if it did.
    """
    names = seat_names(game)
    moments = list(itertools.islice(moments_of(game, rules), after, None))
    frames = frames_of(names, rules, moments, itertools.repeat(None), end)
    return Replay(
        key="game",
        label="The game",
        heading=f"{names['first']} against {names['second']}",
        bots=[game.fixture.first, *([game.fixture.second] if game.fixture.second else [])],
        notes=[],
        legend=[BOARDS],
        rows=[row_name(row) for row in range(rules.rows)],
        columns=[str(column + 1) for column in range(rules.columns)],
        frames=frames,
    )


def reported_salvos(game: Played, rules: Rules, after: int = 0) -> list[str]:
    """Return of each salvo after the first so many what was reported to who fired it, in words."""
    names = seat_names(game)
    moments = itertools.islice(moments_of(game, rules), after, None)
    return [report_in_words(moment.salvo, rules, names) for moment in moments]


class Moment(NamedTuple):
    """A salvo of a game, with the states before and after it."""

    number: int  # of the salvo
    turn: int
    salvo: Salvo
    before: State
    after: State


def moments_of(game: Played, rules: Rules) -> Iterator[Moment]:
    """Yield the salvos of a game, each with its turn and the states before and after."""
    number = 0
    for before, after in itertools.pairwise(replay(game, rules)):
        salvo = after.salvo
        if salvo is not None and salvo is not before.salvo:
            number += 1
            turn = before.turns[0 if salvo.by == "first" else 1]
            yield Moment(number, turn, salvo, before, after)


def frames_of(
    names: Mapping[Seat, str],
    rules: Rules,
    moments: Sequence[Moment],
    known: Iterable["Glimpse | None"],
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
    last = max((moment.number for moment in moments), default=None)
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


def _posterior(name: str, chart: Sequence[CellState], glimpse: "Glimpse", salvo: Salvo) -> Panel:
    chances = [math.nan] * len(chart) if glimpse.cells is None else glimpse.cells.tolist()
    return Panel(name, "posterior before the salvo", tuple(chart), chances, salvo.cells)


def _boards(names: Mapping[Seat, str], moment: Moment, rules: Rules) -> list[Panel]:
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
