"""Where everybody of a tournament stands: both leaderboards as text, as data and as a page."""

import html
import json
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from arena.schedule import PAIRS_PER_BLOCK, Plan
from arena.store import Store, Tournament
from bots.tactics.value import VERSION
from leaderboards import figures, mean_turns, rate, report, tables
from leaderboards.html_tables import leaderboards_html
from leaderboards.ratings import PRIOR_PAIRS
from salvo.reports.featured_game import pick_featured_game
from salvo.reports.posteriors import QUICK_EFFORT
from salvo.reports.progress import Progress, no_progress
from salvo.reports.replay_section import renamed_game, replay_section
from salvo.reports.rules_text import describe_rules
from salvo.reports.tables import game_table, renamed, solo_games, turns_table, two_player_games

__all__ = ["Standing"]

_QUICK_CELLS = 144
"""Cells of a board on which the posteriors of a game take seconds, not minutes."""


class Standing:
    """The leaderboards of a tournament in the record.

    Args:
        store: The record.
        tournament: The tournament in it.
        plan: How much of it counts; all that was played where None is given. What counts is then
            what was asked for, also where an earlier run played more.
        prior: Whether ratings start from the weak prior.
        names: Who is shown and counts, and under which name; None for everybody under its own.
        notes: What else is to be said, in whole sentences.

    Attributes:
        ratings: Who is better in two-player games; None where none were played.
        turns: How many turns each bot takes alone, as ``leaderboards.mean_turns`` returns it; None
            where no solo games were played.
        notes: What else is to be said.
    """

    def __init__(  # noqa: PLR0913 - two of them say what, the others how it is told
        self,
        store: Store,
        tournament: Tournament,
        plan: Plan | None = None,
        *,
        prior: bool = True,
        names: Mapping[str, str] | None = None,
        notes: Sequence[str] = (),
    ) -> None:
        results = game_table(store, tournament.name)
        if names is not None:
            results = renamed(results, names)
        self._tournament = tournament
        self.notes = list(notes)
        self._isolation = store.isolation_levels(tournament.name)
        self._names = names or {}
        self._games = two_player_games(results, None if plan is None else plan.pairs)
        self._searches = solo_games(results, None if plan is None else plan.layouts)
        luck = store.luck(tournament.name, VERSION)
        self._solo = turns_table(self._searches, tournament.rules, luck)
        self.ratings = (
            rate(self._games, prior=PRIOR_PAIRS if prior else None) if len(self._games) else None
        )
        self.turns = mean_turns(self._solo) if len(self._solo) else None

    def plain(self) -> dict[str, Any]:
        """Return both leaderboards as data that JSON can hold."""
        return dict(tables.plain_leaderboards(self.ratings, self.turns))

    def text(self, format_: str = "table") -> str:
        """Return both leaderboards as text, without a newline at the end.

        Args:
            format_: "table" or "markdown", with the notes below; "csv" or "json", without them.
        """
        ratings, turns = self.ratings, self.turns
        match format_:
            case "json":
                return json.dumps(self.plain())
            case "csv":
                parts = [ratings and tables.elo_csv(ratings)]
                parts += [None if turns is None else tables.turns_csv(turns)]
            case "markdown":
                parts = [ratings and tables.elo_markdown(ratings)]
                parts += [None if turns is None else tables.turns_markdown(turns)]
                parts += [tables.notes_markdown(self.notes)]
            case _:
                parts = [ratings and tables.elo_text(ratings)]
                parts += [None if turns is None else tables.turns_text(turns)]
                parts += [tables.notes_text(self.notes)]
        return "\n\n".join(part.rstrip("\n") for part in parts if part)

    def html(self) -> str:
        """Return both leaderboards as an HTML fragment, with the notes below."""
        title = f"<p><b>{html.escape(self._title())}</b></p>"
        return f"{title}\n{leaderboards_html(self.ratings, self.turns, self.notes)}"

    def figures(self) -> dict[str, go.Figure]:
        """Return ``elo``, ``matrix``, ``turns`` and ``shots``, as far as there are games for them.

        Each bot has the same colour in all of them.
        """
        ratings, turns = self.ratings, self.turns
        bots = [] if ratings is None else ratings.table["bot"].tolist()
        colour = figures.colours([*bots, *([] if turns is None else turns["bot"].tolist())])
        found = {}
        if ratings is not None:
            found["elo"] = figures.elo_figure(ratings, colour)
            found["matrix"] = figures.matrix_figure(ratings)
        if turns is not None:
            found["turns"] = figures.turns_figure(turns, colour)
            found["shots"] = figures.shots_figure(self._solo, turns, colour)
        return found

    def page(self, store: Store, progress: Progress = no_progress) -> str:
        """Return the report: both leaderboards and the replay of a game on one HTML page.

        Args:
            store: The record, from which the game to replay is read.
            progress: Follows the posteriors of that game.
        """
        return report.html(
            ratings=self.ratings,
            turns=self.turns,
            solo=self._solo,
            settings=self._settings(),
            title=self._title(),
            about=self._about(),
            further=self._replay(store, progress),
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

    def _replay(self, store: Store, progress: Progress) -> list[report.Section]:
        """Return the replay of one game, if any was played to its end."""
        chosen = pick_featured_game(
            self._games,
            self._searches,
            [] if self.ratings is None else self.ratings.table["bot"].tolist(),
            [] if self.turns is None else self.turns["bot"].tolist(),
        )
        if chosen is None:
            return []
        game, rules = store.game(chosen.id)
        game = renamed_game(game, self._names)
        section = replay_section(
            game,
            rules,
            QUICK_EFFORT,
            most_cells=_QUICK_CELLS,
            why=chosen.why,
            progress=progress,
        )
        return [section]

    def _amounts(self) -> dict[str, str]:
        """Return how many games were played, each pairing and each bot alone."""
        seats = self._games[["first", "second"]].to_numpy(dtype=str)
        pairings = pd.Series([tuple(sorted(pair)) for pair in seats], dtype=object)
        games = _span(pairings.value_counts())
        layouts = _span(self._searches["first"].value_counts())
        blocks = f"by the same two processes for {2 * PAIRS_PER_BLOCK} games at most"
        return {
            **(
                {"Games a pairing": f"{games}, in pairs with seats swapped; {blocks}"}
                if games
                else {}
            ),
            **({"Solo games a bot": f"{layouts}, all bots on the same layouts"} if layouts else {}),
        }

    def _settings(self) -> dict[str, object]:
        """Return under what the games were played, for the reader of the report."""
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


def _span(counts: pd.Series) -> str:
    """Return the fewest and the most, as one number where they are equal."""
    spans = sorted({int(counts.min()), int(counts.max())}) if len(counts) else []
    return " to ".join(str(count) for count in spans)


def _promises(record: str) -> str:
    """Say at which level blocks were played, and what it did not promise."""
    told = json.loads(record)
    if "in_process" in told:
        return f"none for {' and '.join(told['in_process'])}, which played in the arena's process"
    broken = [name for name, held in told["promises"].items() if not held]
    return f"{told['level']}, without {', '.join(broken)}" if broken else f"{told['level']}"
