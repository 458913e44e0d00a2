"""Draws how each bot's rating went from version to version, as a Plotly figure."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from leaderboards.display.figures import GRID, LONGEST_LABEL, plain, shown
from leaderboards.display.palette import Style


def history_figure(versions: pd.DataFrame, style: Mapping[str, Style]) -> "go.Figure":
    """Return the rating of each version of each bot, with its 95% interval.

    `versions` has one row a version, in order: `bot`, `version`, `elo`, `low` and `high`, which may
    be NaN.
    """
    marks = []
    for bot, rows in versions.dropna(subset="elo").groupby("bot", sort=False):
        one = style[str(bot)]
        mark = go.Scatter(
            x=rows["version"].tolist(),
            y=rows["elo"].tolist(),
            name=shown(str(bot), LONGEST_LABEL),
            mode="lines+markers",
            line={"color": one.colour, "width": 1.5},
            marker={"color": one.colour, "symbol": one.mark, "size": 10},
            error_y={
                "type": "data",
                "symmetric": False,
                "array": np.nan_to_num(rows["high"] - rows["elo"]).tolist(),
                "arrayminus": np.nan_to_num(rows["elo"] - rows["low"]).tolist(),
                "color": one.colour,
                "thickness": 1.5,
                "width": 4,
            },
            hovertemplate=f"<b>{shown(str(bot))}</b>, version %{{x}}<br>Elo %{{y:.0f}}"
            "<extra></extra>",
        )
        marks.append(mark)
    return plain(
        marks,
        380,
        {"title": {"text": "version"}, "dtick": 1, "gridcolor": GRID, "zeroline": False},
        {"title": {"text": "Elo"}, "gridcolor": GRID, "zeroline": False},
        showlegend=True,
        legend={"orientation": "h", "y": 1, "yanchor": "bottom"},
    )
