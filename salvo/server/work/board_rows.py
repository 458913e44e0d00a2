"""Makes the rows of leaderboards as pages show them, each with its interval to be drawn."""

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

from leaderboards.display.cells import elo_cells, turns_cells
from leaderboards.display.scale import Estimated, Scale, scale_of
from leaderboards.turns.mean_turns import ranked_by
from salvo.reports.standings.results import REPORTS
from salvo.reports.standings.standing import Standing
from salvo.server.database.leaderboard_rows import PROVISIONAL_ELO, Row

_WIDE = 1000  # of the drawing of an interval


def elo_rows(standing: Standing) -> list[Row]:
    """Return the rows of the leaderboard by Elo, in its order; none where nobody met."""
    if standing.ratings is None:
        return []
    told = standing.ratings.table.to_dict("records")
    estimates = [Estimated(row["elo"], row["low"], row["high"]) for row in told]
    scale = _scale(estimates)
    cells = _cells(elo_cells(standing.ratings), standing)
    return [
        # Of a bot that won or lost everything, or has no rating, nothing bounds one side.
        _row(row, shown, one, scale, provisional=not one.high - one.low <= 2 * PROVISIONAL_ELO)
        for row, shown, one in zip(told, cells, estimates, strict=True)
    ]


def turns_rows(standing: Standing) -> list[Row]:
    """Return the rows of the leaderboard by turns, in its order; none where nobody played alone."""
    turns = standing.turns
    if turns is None:
        return []
    told = turns.to_dict("records")
    estimates = [Estimated(*(row[name] for name in ranked_by(turns))) for row in told]
    rows = zip(told, _cells(turns_cells(turns), standing), estimates, strict=True)
    scale = _scale(estimates)
    return [_row(row, cells, one, scale) for row, cells, one in rows]


def _cells(rows: Iterable[dict[str, str]], standing: Standing) -> list[dict[str, str]]:
    """Return the cells of each row, with what bots report of themselves if any does."""
    told = standing.reports
    return [{**row, REPORTS: told.get(row["bot"], "")} if told else row for row in rows]


def _row(
    told: Mapping[Hashable, Any],
    cells: dict[str, str],
    estimated: Estimated,
    scale: Scale,
    *,
    provisional: bool = False,
) -> Row:
    name, may_lead = str(told["bot"]), told["best_rank"] == 1
    value, low, high = estimated
    if math.isnan(value):
        return Row(name, provisional, cells, may_lead)
    ends = (
        0.0 if math.isnan(low) else scale.place(low),
        scale.place(value),
        1.0 if math.isnan(high) else scale.place(high),
    )
    left, middle, right = (round(_WIDE * place) for place in ends)
    return Row(name, provisional, cells, may_lead, (left, middle, right), scale.side(value))


def _scale(estimates: Sequence[Estimated]) -> Scale:
    return scale_of([one for one in estimates if not math.isnan(one.value)])
