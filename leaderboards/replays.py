"""A game salvo by salvo as one Plotly figure: the boards, the posterior beside them, and a slider.

What is shown comes as plain data, so that a game from any record can be drawn.
"""

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import plotly.graph_objects as go

from leaderboards.figures import plain, shown

__all__ = ["Frame", "Mark", "Panel", "replay_figure"]

Mark = Literal["water", "ship", "miss", "hit", "sunk"]

Grid = tuple[Sequence[str], Sequence[str]]
"""The names of the rows and of the columns of a board."""

_COLOURS: Mapping[Mark, str] = {
    "water": "#a6bdd4",
    "ship": "#5e6e85",
    "miss": "#809fbf",
    "hit": "#fb923c",
    "sunk": "#e5533f",
}
_CODES = {mark: code for code, mark in enumerate(_COLOURS)}
_SIGNS: Mapping[Mark, str] = {"water": "", "ship": "", "miss": "o", "hit": "X", "sunk": "X"}
_STEPS = [
    [place / len(_COLOURS), colour]
    for code, colour in enumerate(_COLOURS.values())
    for place in (code, code + 1)
]
_CHANCE = [
    [0, "#b9c4d0"],
    [0.05, "#d6d3b4"],
    [0.1, "#ecdc90"],
    [0.2, "#f4bd4f"],
    [0.35, "#f08f3a"],
    [0.6, "#de5a3a"],
    [1, "#cf2f4e"],
]
"""Most of the colours are for the chances of the opening, which are small."""

_COLORBAR = {
    "thickness": 10,
    "xanchor": "left",
    "yanchor": "top",
    "ypad": 0,
    "tickvals": [0, 0.1, 0.2, 0.35, 0.6, 1],
    "tickformat": ".0%",
    "outlinewidth": 0,
}
_DIGITS = 3
_SPACE = 2 * "\u00a0"
"""On both sides of a label of the slider, which has as many labels as there is room for."""

_FIRED = "#0f172a"
_LONGEST_LINE = 60
_LONGEST_NAME = 22
_LINE, _TITLE_PX, _SLIDER_PX = 1.3, 76, 76
_MOST_RING_PX, _FEWEST_RING_PX = 22, 6
_LEFT_PX, _RIGHT_PX, _HIGHEST_PX = 30, 56, 420
_GAP = 0.08
_ABREAST = {300: 1, 560: 2, 860: 3, 1140: 3}
"""How many panels stand abreast, by the least width of the figure in pixels."""
_SMALL_FONT_PX, _FONT_PX = 11, 14
"""The words above the boards, where one panel stands alone and else."""


@dataclass(frozen=True, slots=True)
class Panel:
    """One part of a frame: the cells of a board.

    Attributes:
        name: What stands above it.
        kind: The line below the name.
        marks: What is on each cell.
        chances: The probability of each cell, which then is its colour; None for that of its mark.
        fired: The cells of the salvo of this frame, where they are to be seen.
    """

    name: str
    kind: str
    marks: Sequence[Mark]
    chances: Sequence[float] | None = None
    fired: Sequence[int] = ()


@dataclass(frozen=True, slots=True)
class Frame:
    """One salvo of a game: the lines that describe it, and the panels, alike in every frame."""

    lines: Sequence[str]
    panels: Sequence[Panel]


def replay_figure(
    frames: Sequence[Frame], rows: Sequence[str], columns: Sequence[str]
) -> go.Figure:
    """Return the figure; its ``layout.meta`` says how to change its layout from which width on.

    Args:
        frames: The salvos of the game in their order, at least one.
        rows: The name of each row of the board.
        columns: The name of each column.
    """
    grid = rows, columns
    told = [_caption(frame) for frame in frames]
    lines = 1 + max(text.count("<br>") for text in told)
    panels = frames[0].panels
    ratio = len(rows) / len(columns)
    by_width = {width: _arranged(len(panels), width, ratio, lines) for width in _ABREAST}
    widest = by_width[max(by_width)]
    figure = go.Figure(
        data=[
            *(_heatmap(panel, number, grid) for number, panel in enumerate(panels)),
            *(_rings(panel, number, grid) for number, panel in enumerate(panels)),
        ],
        frames=[
            {"name": str(number), "data": _data(frame, grid), "layout": _titles(frame, text)}
            for number, (frame, text) in enumerate(zip(frames, told, strict=True))
        ],
    )
    for number in range(len(panels)):
        _set_axes(figure, number, grid)
    plain(figure, widest["height"])
    figure.update_layout(
        margin={"l": _LEFT_PX, "r": _RIGHT_PX, "b": _SLIDER_PX},
        title={"x": 0, "xanchor": "left", "y": 1, "yanchor": "top", "pad": {"t": 16, "l": 2}},
        coloraxis={"cmin": 0, "cmax": 1, "colorscale": _CHANCE, "colorbar": _COLORBAR},
        sliders=[_slider(len(frames))],
        meta={str(width): changes for width, changes in by_width.items()},
    )
    figure.update_layout(_titles(frames[0], told[0]))
    figure.update_layout(widest)
    return figure


def _caption(frame: Frame) -> str:
    """Return the lines of a frame as one text, the first bold, long ones on several lines."""
    first, *others = (
        shown(part)
        for line in frame.lines
        for part in textwrap.wrap(line, _LONGEST_LINE, break_on_hyphens=False)
    )
    return "<br>".join([f"<b>{first}</b>", *others])


def _titles(frame: Frame, caption: str) -> dict[str, Any]:
    """Return the words of a frame as changes of the layout."""
    titles: dict[str, Any] = {"title": {"text": caption}}
    for number, panel in enumerate(frame.panels):
        text = f"<b>{shown(panel.name, _LONGEST_NAME)}</b><br>{shown(panel.kind)}"
        titles[f"xaxis{_suffix(number)}"] = {"title": {"text": text}}
    return titles


def _data(frame: Frame, grid: Grid) -> list[dict[str, Any]]:
    """Return what a frame changes of the traces."""
    return [
        *({"type": "heatmap", **_cells(panel, grid)} for panel in frame.panels),
        *({"type": "scatter", **_fired(panel, grid)} for panel in frame.panels),
    ]


def _cells(panel: Panel, grid: Grid) -> dict[str, Any]:
    wide = len(grid[1])
    values: list[float] = [_CODES[mark] for mark in panel.marks]
    if panel.chances is not None:
        values = [round(float(chance), _DIGITS) for chance in panel.chances]
    signs = [_SIGNS[mark] for mark in panel.marks]
    starts = range(0, len(values), wide)
    return {
        "z": [values[start : start + wide] for start in starts],
        "text": [signs[start : start + wide] for start in starts],
    }


def _fired(panel: Panel, grid: Grid) -> dict[str, Any]:
    rows, columns = grid
    places = [divmod(cell, len(columns)) for cell in panel.fired]
    return {
        "x": [columns[column] for _, column in places],
        "y": [rows[row] for row, _ in places],
    }


def _heatmap(panel: Panel, number: int, grid: Grid) -> dict[str, Any]:
    rows, columns = grid
    shades: dict[str, Any] = {
        "zmin": -0.5,
        "zmax": len(_COLOURS) - 0.5,
        "colorscale": _STEPS,
        "showscale": False,
        "hovertemplate": "%{y}%{x} %{text}<extra></extra>",
    }
    if panel.chances is not None:
        shades = {"coloraxis": "coloraxis", "hovertemplate": "%{y}%{x}: %{z:.1%}<extra></extra>"}
    return {
        "type": "heatmap",
        "x": columns,
        "y": rows,
        **_cells(panel, grid),
        **shades,
        "texttemplate": "%{text}",
        "textfont": {"weight": 700, **({} if panel.chances else {"color": _FIRED})},
        "xgap": 1,
        "ygap": 1,
        **_on(number),
    }


def _rings(panel: Panel, number: int, grid: Grid) -> dict[str, Any]:
    ring = {
        "symbol": "circle-open",
        "size": _ring_px(grid),
        "color": _FIRED,
        "line": {"width": 1.5},
    }
    return {
        "type": "scatter",
        "mode": "markers",
        "marker": ring,
        "hoverinfo": "skip",
        **_fired(panel, grid),
        **_on(number),
    }


def _ring_px(grid: Grid) -> int:
    """Return how wide a ring may be to stay within its cell at most widths of the figure."""
    rows, columns = grid
    cell_px = min(_HIGHEST_PX / len(rows), 0.28 * max(_ABREAST) / len(columns))
    return max(_FEWEST_RING_PX, min(_MOST_RING_PX, round(0.75 * cell_px)))


def _on(number: int) -> dict[str, str]:
    return {"xaxis": f"x{_suffix(number)}", "yaxis": f"y{_suffix(number)}"}


def _suffix(number: int) -> str:
    return str(number + 1) if number else ""


def _set_axes(figure: go.Figure, number: int, grid: Grid) -> None:
    """Make the cells of a panel square, its first row on top."""
    on, (rows, columns) = _on(number), grid
    same = {"type": "category", "showgrid": False, "zeroline": False, "constrain": "domain"}
    figure.layout[f"xaxis{_suffix(number)}"] = {
        **same,
        "side": "top",
        "anchor": on["yaxis"],
        "range": [-0.5, len(columns) - 0.5],
        "tickangle": 0,
        "title": {"standoff": 6, "font": {"size": 13}},
    }
    figure.layout[f"yaxis{_suffix(number)}"] = {
        **same,
        "anchor": on["xaxis"],
        "scaleanchor": on["xaxis"],
        "range": [len(rows) - 0.5, -0.5],
        "constraintoward": "top",
    }


def _arranged(panels: int, figure_px: int, ratio: float, lines: int) -> dict[str, Any]:
    """Return the height and the places of the panels, as changes of the layout.

    Above them is room for so many lines of words.
    """
    abreast = min(_ABREAST[figure_px], panels)
    font_px = _SMALL_FONT_PX if abreast == 1 else _FONT_PX
    top_px = round(_TITLE_PX + _LINE * font_px * lines)
    width_px = figure_px - _LEFT_PX - _RIGHT_PX
    across = (1 - _GAP * (abreast - 1)) / abreast
    stories = -(-panels // abreast)
    panel_px = min(width_px * across * ratio, _HIGHEST_PX)
    inner_px = stories * panel_px + (stories - 1) * _TITLE_PX
    arranged: dict[str, Any] = {
        "height": round(inner_px + top_px + _SLIDER_PX),
        "margin.t": top_px,
        "title.font.size": font_px,
    }
    for number in range(panels):
        story, place = divmod(number, abreast)
        left = place * (across + _GAP)
        top = 1 - story * (panel_px + _TITLE_PX) / inner_px
        high = panel_px / inner_px
        arranged[f"xaxis{_suffix(number)}.domain"] = [left, min(left + across, 1)]
        arranged[f"yaxis{_suffix(number)}.domain"] = [max(top - high, 0), top]
    arranged |= {"coloraxis.colorbar.x": left + across, "coloraxis.colorbar.y": top}
    return arranged | {"coloraxis.colorbar.len": high}


def _slider(frames: int) -> dict[str, Any]:
    at_once = {"mode": "immediate", "frame": {"duration": 0, "redraw": True}}
    return {
        "steps": [
            {
                "method": "animate",
                "label": f"{_SPACE}{number + 1}{_SPACE}",
                "args": [[str(number)], {**at_once, "transition": {"duration": 0}}],
            }
            for number in range(frames)
        ],
        "currentvalue": {"visible": False},
        "pad": {"t": 22},
        "bgcolor": "rgba(124, 133, 148, 0.35)",
        "activebgcolor": "#3b82f6",
        "bordercolor": "rgba(124, 133, 148, 0.6)",
        "tickcolor": "#7c8594",
    }
