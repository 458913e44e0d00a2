"""Rates a tournament of the record, and makes its figures and its page."""

import html
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import pandas as pd

from arena.league import KIND
from arena.records import BlockKey
from arena.schedule import Plan
from arena.store import Look, Store, Tournament
from arena.text import counted, first_few
from bots.tactics.value.network import VERSION
from leaderboards.display import figures, interval_charts
from leaderboards.display.formatted_tables import leaderboards_html
from leaderboards.display.palette import styles
from salvo.conditions import MATCHING
from salvo.reports.how_rated import HowRated
from salvo.reports.standings.results import Results
from salvo.reports.tables.game_tables import (
    game_table,
    renamed,
    solo_games,
    turns_table,
    two_player_games,
    without_pairings,
)
from salvo.reports.tables.reported_numbers import reported_numbers

if TYPE_CHECKING:
    import plotly.graph_objects as go

_EXTENDED = (
    "The record was extended after it had been rated. Ranks by Elo are wider for that, and hold "
    "however often one looks; intervals and ranks by turns hold for a number of games that was "
    "fixed beforehand. `salvo match A B --sprt 0,20` decides between two bots in the fewest games."
)
_STOPPED = (
    "A sequential test decides when these games end ({rule}): it stops where luck has carried it, "
    "so that ratings and leads are biased."
)


class Standing(Results):
    """The leaderboards of a tournament in the record.

    A plan says how much of it counts, and else all that was played does; `sizes` says how many
    pairs of each pairing count where results decided that (``arena.schedule.sizes_of``). A look
    says how many games were asked for; None takes the record as it is. Only those in `names` count,
    and are shown under the names it gives them; pairings that are `left_out` go by the names in the
    record.
    """

    def __init__(  # noqa: PLR0913 - three of them say what, the others how it is told
        self,
        store: Store,
        tournament: Tournament,
        plan: Plan | None = None,
        *,
        how: HowRated | None = None,
        sizes: Mapping[tuple[str, ...], int] | None = None,
        look: Look | None = None,
        names: Mapping[str, str] | None = None,
        notes: Sequence[str] = (),
        left_out: Collection[frozenset[str]] = (),
    ) -> None:
        results = game_table(store, tournament.name)
        if left_out:
            results = without_pairings(results, left_out)
        if names is not None:
            results = renamed(results, names)
        self.tournament = tournament
        self.isolation = store.isolation_levels(tournament.name)
        self.names = names or {}
        self.had_network = _with_network(store, tournament.name, names)
        pairs = sizes if sizes is not None or plan is None else plan.pairs
        games = two_player_games(results, pairs)
        searches = solo_games(results, None if plan is None else plan.layouts)
        luck = store.luck(tournament.name, VERSION)
        looks = store.looks(tournament.name)
        extended = _was_extended(looks, look or Look(_size(tournament, games, looks)))
        super().__init__(
            games,
            turns_table(searches, tournament.rules, luck),
            searches,
            how=how,
            notes=[
                *notes,
                *([] if names is not None or sizes is not None else _unplayed(tournament, results)),
                *self.had_network,
                *_notes_of(looks, look, extended=extended),
            ],
            reported=reported_numbers(store, tournament.name, names),
            extended=extended,
            sequential=bool(look.rule if look else _ended_by(looks)),
        )

    @property
    def bots(self) -> list[str]:
        """Everybody in the leaderboards, in their order."""
        tables = (None if self.ratings is None else self.ratings.table, self.turns)
        named = [bot for table in tables if table is not None for bot in table["bot"]]
        return list(dict.fromkeys(map(str, named)))

    def html(self) -> str:
        """Return both leaderboards as an HTML fragment, with the notes below."""
        title = f"<p><b>{html.escape(self.title())}</b></p>"
        return f"{title}\n{leaderboards_html(self.boards, self.notes)}"

    def figures(self) -> dict[str, "go.Figure"]:
        """Return ``elo``, ``matrix``, ``turns`` and ``shots``, as far as there are games for them.

        Each bot has the same colour in all of them.
        """
        ratings, turns = self.ratings, self.turns
        style = styles(self.bots)
        found = {}
        if ratings is not None:
            found["elo"] = interval_charts.elo_figure(ratings, style)
            found["matrix"] = figures.matrix_figure(ratings)
        if turns is not None:
            found["turns"] = interval_charts.turns_figure(turns, style)
            found["shots"] = figures.shots_figure(self.solo, turns, style)
        return found

    def title(self) -> str:
        """Return what was played, for the top of a page."""
        tournament = self.tournament
        bots = sorted({*self.games["first"], *self.games["second"], *self.searches["first"]})
        who = counted(len(bots), "bot")
        if tournament.kind == "match" and len(bots) == 2:  # noqa: PLR2004 - both sides of a match
            who = " against ".join(bots)
        what = tournament.name if tournament.kind == KIND else tournament.kind
        return f"Salvo {what}: {who}, rules {tournament.rules.name}"


def has_met(
    bot: str,
    names: Collection[str],
    played: Iterable[BlockKey],
    left_out: Collection[frozenset[str]],
) -> bool:
    """Return whether a bot played a game that counts, given the blocks of a record."""
    return any(
        len(who) > 1 and bot in who and set(who) <= set(names) and frozenset(who) not in left_out
        for who, _ in played
    )


def _with_network(store: Store, tournament: str, names: Mapping[str, str] | None) -> list[str]:
    """Return a note on the bots that anybody outside could tell what to play."""
    if tournament not in store.tournament_names():
        return []
    had = [
        f"{entrant.name if names is None else names[entrant.name]} "
        f"({', '.join(entrant.program.network)})"
        # As they played: a league only knows who they are.
        for entrant in store.tournament(tournament).entrants
        if entrant.program.network and (names is None or entrant.name in names)
    ]
    told = f"Had the network, and so may have been told what to play: {', '.join(had)}."
    return [told] if had else []


def _unplayed(tournament: Tournament, results: pd.DataFrame) -> list[str]:
    """Return a note on the bots of which the record has no game, as where a run was stopped."""
    there = {*results["first"], *results["second"]}
    entered = [entrant.name for entrant in tournament.entrants]
    missing = [name for name in entered if name not in there]
    if not missing or len(missing) == len(entered):
        return []
    which = f"{len(missing):,} of the {len(entered):,} bots"
    have = "have" if len(missing) > 1 else "has"
    return [f"{which} {have} not played yet: {first_few(missing)}."]


def _size(tournament: Tournament, games: pd.DataFrame, looks: Sequence[Look]) -> int:
    # Games of a run that was stopped are there before it was rated.
    played = 0 if tournament.kind in MATCHING or games.empty else int(games["pair"].max()) + 1
    return max([played, *(look.pairs for look in looks)])


def _was_extended(looks: Sequence[Look], now: Look) -> bool:
    """Return whether a record was rated when it had fewer pairs than now.

    A sequential test that goes on is no extension: it may look as often as it likes.
    """
    others = [look for look in looks if not now.rule or look.rule != now.rule]
    return any(look.pairs < now.pairs for look in others)


def _ended_by(looks: Sequence[Look]) -> str:
    return looks[-1].rule if looks else ""


def _notes_of(looks: Sequence[Look], now: Look | None, *, extended: bool) -> list[str]:
    """Return notes on earlier looks; ``now`` is None where the record is shown as it is."""
    last = _ended_by(looks) if now is None else ""
    return [*([_EXTENDED] if extended else []), *([_STOPPED.format(rule=last)] if last else [])]
