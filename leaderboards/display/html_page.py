"""Renders one HTML page: who won, a game to watch, leaderboards, figures, and a card per bot.

The page is whole in itself: it has its own copy of the script that draws, packed, and asks the
network for nothing, which its content security policy enforces. Figures have their numbers as text
beside them. The same input makes the same bytes.
"""

import functools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import pandas as pd
from jinja2 import Template
from markupsafe import Markup

from leaderboards.display import figures, heat_maps, interval_charts
from leaderboards.display.cells import elo_cells, turns_cells
from leaderboards.display.explanations import (
    elo_explanations,
    elo_notes,
    turns_explanations,
    turns_notes,
)
from leaderboards.display.field_verdicts import elo_verdict, turns_verdict
from leaderboards.display.matrix import MOST_BESIDE, matrix_of
from leaderboards.display.palette import MARKS, Style, styles
from leaderboards.display.plotly_js import packed_base64
from leaderboards.display.replay_frames import Replay, plain_replay
from leaderboards.display.scale import HOW_TO_READ
from leaderboards.display.sections import Drawing, Profile, Section, Table
from leaderboards.display.templating import as_data, environment, in_script
from leaderboards.elo.ratings import Ratings
from leaderboards.turns.spread import spread_cells, spreads

if TYPE_CHECKING:
    import plotly.graph_objects as go

_PLAIN_NAME = re.compile(r"[A-Za-z0-9._-]+")


def html(  # noqa: PLR0913 - all that the page shows
    *,
    ratings: Ratings | None = None,
    turns: pd.DataFrame | None = None,
    solo: pd.DataFrame | None = None,
    settings: Mapping[str, object] | None = None,
    title: str = "Salvo leaderboards",
    about: str = "",
    facts: Mapping[str, str] | None = None,
    further: Sequence[Section] = (),
    closing: Sequence[Section] = (),
    replays: Sequence[Replay] = (),
    profiles: Sequence[Profile] = (),
    notes: Sequence[str] = (),
) -> str:
    """Return the leaderboards as one HTML document.

    The first leaderboard's verdict stands at the top, the first game below it; notes follow the
    table. Closing sections, and how sure all is, are folded. Facts and settings stand at the end; a
    fact that begins with ``$`` is shown as a command. A bot's profile is reached from its name
    wherever that stands. Without a title there is no head and no link to a salvo: such a page is
    shown in a frame of another, which has no address of its own.

    Raises:
        LeaderboardError: If `solo` breaks the contract.
    """
    sections = [*_sections(ratings, turns, solo), *further]
    verdict = sections[0].verdict if sections else ()
    sections[:1] = [_led(section, notes) for section in sections[:1]]
    style = styles(_bots(ratings, turns, profiles))
    watched = [(replay.key, as_data(plain_replay(replay))) for replay in replays]
    has_drawings = any(section.drawings for section in (*sections, *closing))
    return _template().render(
        title=title,
        about=about,
        facts=dict(facts or {}),
        verdict=verdict,
        sections=sections,
        closing=closing,
        explanations=_explanations(ratings, turns),
        replays=replays,
        watched=watched,
        profiles=profiles,
        address=_addresses(profiles),
        settings={str(name): str(value) for name, value in (settings or {}).items()},
        style=style,
        marks=MARKS,
        plotly=packed_base64() if has_drawings else "",
        figure=_figure,
        heat_maps=heat_maps,
        config=as_data(figures.CONFIG),
    )


@functools.cache
def _template() -> Template:
    """Return the template, which takes longer to compile than to fill."""
    return environment().get_template("report.html.j2")


def _figure(figure: "go.Figure") -> Markup:
    return in_script(str(figure.to_json()))


def _bots(
    ratings: Ratings | None, turns: pd.DataFrame | None, profiles: Sequence[Profile]
) -> list[str]:
    tables = [None if ratings is None else ratings.table, turns]
    named = [bot for table in tables if table is not None for bot in table["bot"].tolist()]
    return [*named, *(profile.bot for profile in profiles)]


def _addresses(profiles: Sequence[Profile]) -> dict[str, str]:
    names = [profile.bot for profile in profiles]
    return {
        name: f"bot-{name}" if _PLAIN_NAME.fullmatch(name) else f"bot-number-{place}"
        for place, name in enumerate(names, 1)
    }


def _sections(
    ratings: Ratings | None, turns: pd.DataFrame | None, solo: pd.DataFrame | None
) -> Iterator[Section]:
    style = styles(_bots(ratings, turns, ()))
    if ratings is not None:
        yield _elo_section(ratings, style)
    if turns is not None:
        yield _turns_section(turns, solo, style)


def _elo_section(ratings: Ratings, style: Mapping[str, Style]) -> Section:
    empty = ratings.table.empty
    chart = interval_charts.elo_figure(ratings, style)
    wide = len(ratings.table) > MOST_BESIDE
    return Section(
        name="elo",
        heading="Elo: two-player games",
        verdict=elo_verdict(ratings),
        notes=elo_notes(ratings),
        drawings=[Drawing("Elo", chart, HOW_TO_READ, wide=wide)] if chart.data else [],
        rows=elo_cells(ratings),
        matrix=None if empty else matrix_of(ratings),
    )


def _turns_section(
    turns: pd.DataFrame, solo: pd.DataFrame | None, style: Mapping[str, Style]
) -> Section:
    drawings = []
    if not turns.empty:
        chart = interval_charts.turns_figure(turns, style)
        drawings.append(Drawing("Mean turns", chart, HOW_TO_READ))
    if not turns.empty and solo is not None:
        found = spreads(solo, turns["bot"].tolist())
        drawings.append(
            Drawing(
                "Shots to sink the fleet: how many games took how many",
                figures.shots_figure(solo, turns, style),
                numbers=Table("Shots to sink the fleet", spread_cells(found)),
            )
        )
    return Section(
        name="turns",
        heading="Turns: solo games",
        verdict=turns_verdict(turns),
        notes=turns_notes(turns),
        drawings=drawings,
        rows=turns_cells(turns),
    )


def _led(section: Section, notes: Sequence[str]) -> Section:
    """Return the first section as it stands below its verdict, with notes of the page."""
    return replace(section, verdict=(), notes=[*section.notes, *notes])


def _explanations(ratings: Ratings | None, turns: pd.DataFrame | None) -> list[str]:
    of_elo = [] if ratings is None else elo_explanations(ratings)
    of_turns = [] if turns is None else turns_explanations(turns)
    return list(dict.fromkeys([*of_elo, *of_turns]))  # what holds for both is said once
