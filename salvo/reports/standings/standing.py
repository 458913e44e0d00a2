"""Where everybody of a tournament stands: its leaderboards, and the page that shows them."""

import html
import json
from collections.abc import Collection, Mapping, Sequence

import pandas as pd
import plotly.graph_objects as go

from arena.schedule import Plan
from arena.store import Look, Store, Tournament
from bots.tactics.value.network import VERSION
from leaderboards.display import figures
from leaderboards.display.formatted_tables import leaderboards_html
from leaderboards.display.html_page import Section
from leaderboards.display.palette import styles
from salvo.conditions import MATCHING
from salvo.reports.how_rated import HowRated
from salvo.reports.pages.report_page import Played, report_page
from salvo.reports.standings.results import Results
from salvo.reports.tables.game_tables import (
    game_table,
    renamed,
    solo_games,
    turns_table,
    two_player_games,
    without_pairings,
)
from salvo.reports.words.rules_text import describe_rules
from salvo.reports.work_progress import Progress, no_progress

_EXTENDED = (
    "The record was extended after it had been rated. Intervals, leads and ranks hold for a number "
    "of games that was fixed beforehand: whoever adds games until a difference is sure finds one "
    "between equals in up to a quarter of contests. `salvo match A B --sprt 0,20` decides between "
    "two bots without that."
)
_STOPPED = (
    "The games were played until a sequential test ended them ({rule}): it stopped where luck had "
    "carried it, so that ratings and leads are biased."
)


class Standing(Results):
    """The leaderboards of a tournament in the record.

    Args:
        store: The record.
        tournament: The tournament in it.
        plan: How much of it counts; all that was played where None is given. What counts is then
            what was asked for, also where an earlier run played more.
        how: How the two-player games are rated.
        sizes: How many pairs of each pairing count, where results decided that; see
            ``arena.schedule.sizes_of``.
        look: How many games were asked for; None to take the record as it is.
        names: Who is shown and counts, and under which name; None for everybody under its own.
        notes: What else is to be said, in whole sentences.
        left_out: Pairings whose games do not count, by the names in the record.
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
        self._tournament = tournament
        self._isolation = store.isolation_levels(tournament.name)
        self._names = names or {}
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
            notes=[*notes, *_notes_of(looks, look, extended=extended)],
            extended=extended,
        )

    @property
    def bots(self) -> list[str]:
        """Everybody in the leaderboards, in their order."""
        tables = (None if self.ratings is None else self.ratings.table, self.turns)
        named = [bot for table in tables if table is not None for bot in table["bot"]]
        return list(dict.fromkeys(map(str, named)))

    def html(self) -> str:
        """Return both leaderboards as an HTML fragment, with the notes below."""
        title = f"<p><b>{html.escape(self._title())}</b></p>"
        return f"{title}\n{leaderboards_html(self.ratings, self.turns, self.notes)}"

    def figures(self) -> dict[str, go.Figure]:
        """Return ``elo``, ``matrix``, ``turns`` and ``shots``, as far as there are games for them.

        Each bot has the same colour in all of them.
        """
        ratings, turns = self.ratings, self.turns
        style = styles(self.bots)
        found = {}
        if ratings is not None:
            found["elo"] = figures.elo_figure(ratings, style)
            found["matrix"] = figures.matrix_figure(ratings)
        if turns is not None:
            found["turns"] = figures.turns_figure(turns, style)
            found["shots"] = figures.shots_figure(self._solo, turns, style)
        return found

    def page(
        self, store: Store, progress: Progress = no_progress, further: Sequence[Section] = ()
    ) -> str:
        """Return the report as one HTML page: leaderboards, games to watch, a section per bot."""
        played = Played(
            tournament=self._tournament,
            bots=self.bots,
            games=self._games,
            searches=self._searches,
            ratings=self.ratings,
            turns=self.turns,
            solo=self._solo,
            names=self._names,
            further=further,
        )
        settings = self._settings()
        return report_page(
            played,
            store,
            title=self._title(),
            about=self._about(),
            isolation=str(settings["Isolation"]),
            settings=settings,
            progress=progress,
        )

    def _title(self) -> str:
        tournament = self._tournament
        bots = sorted({*self._games["first"], *self._games["second"], *self._searches["first"]})
        who = f"{len(bots)} bot{'' if len(bots) == 1 else 's'}"
        if tournament.kind == "match" and len(bots) == 2:  # noqa: PLR2004 - both sides of a match
            who = " against ".join(bots)
        return f"Salvo {tournament.kind}: {who}, rules {tournament.rules.name}"

    def _about(self) -> str:
        games, solo = len(self._games), len(self._searches)
        played = [f"{games:,} games between two bots"] if games else []
        played += [f"{solo:,} solo games"] if solo else []
        return f"{self._tournament.name}: {' and '.join(played) or 'no games'}"

    def _amounts(self) -> dict[str, str]:
        """Return how many games were played, each pairing and each bot alone."""
        seats = self._games[["first", "second"]].to_numpy(dtype=str)
        pairings = pd.Series([tuple(sorted(pair)) for pair in seats], dtype=object)
        games = _span(pairings.value_counts())
        layouts = _span(self._searches["first"].value_counts())
        common = self._tournament.common_layouts
        whose = "all bots on the same layouts" if common else "each bot on layouts of its own"
        blocks = f"by the same two processes for {2 * self._tournament.block_pairs} games at most"
        return {
            **(
                {"Games a pairing": f"{games}, in pairs with seats swapped; {blocks}"}
                if games
                else {}
            ),
            **({"Solo games a bot": f"{layouts}, {whose}"} if layouts else {}),
        }

    def _settings(self) -> dict[str, object]:
        tournament = self._tournament
        rules, settings = tournament.rules, tournament.settings
        gauntlet = tournament.gauntlet
        return {
            **describe_rules(rules),
            **self._amounts(),
            **({} if gauntlet is None else {"Gauntlet": f"{gauntlet} against all others"}),
            "Seed": tournament.seed,
            "Time": (
                f"{settings.load_s:g} s to load, {settings.move_s:g} s a move, "
                f"{settings.game_s:g} s a game"
            ),
            "Isolation": "; ".join(_promises(record) for record in self._isolation),
            **({"Notes": " ".join(self.notes)} if self.notes else {}),
        }


def _size(tournament: Tournament, games: pd.DataFrame, looks: Sequence[Look]) -> int:
    # Games of a run that was stopped are there before it was rated.
    played = 0 if tournament.kind in MATCHING or games.empty else int(games["pair"].max()) + 1
    return max([played, *(look.pairs for look in looks)])


def _span(counts: pd.Series) -> str:
    spans = sorted({int(counts.min()), int(counts.max())}) if len(counts) else []
    return " to ".join(str(count) for count in spans)


def _promises(record: str) -> str:
    told = json.loads(record)
    if "in_process" in told:
        return f"none for {' and '.join(told['in_process'])}, which played in the arena's process"
    broken = [name for name, held in told["promises"].items() if not held]
    return f"{told['level']}, without {', '.join(broken)}" if broken else f"{told['level']}"


def _was_extended(looks: Sequence[Look], now: Look) -> bool:
    """Return whether a record was rated when it had fewer pairs than now.

    A sequential test that goes on is no extension: it may look as often as it likes.
    """
    others = [look for look in looks if not now.rule or look.rule != now.rule]
    return any(look.pairs < now.pairs for look in others)


def _notes_of(looks: Sequence[Look], now: Look | None, *, extended: bool) -> list[str]:
    """Return notes on earlier looks; ``now`` is None where the record is shown as it is."""
    last = looks[-1].rule if looks and now is None else ""
    return [
        *([_EXTENDED] if extended else []),
        *([_STOPPED.format(rule=last)] if last else []),
    ]
