"""Who counts in a tournament of a league's calendar, how much, and by which limits."""

from types import SimpleNamespace
from typing import Any

import pytest

from arena.league import Anchor, Entry
from salvo.reports.standings import league_standing
from salvo.reports.standings.planned_standing import (
    PlannedGames,
    planned_standing,
    planned_without_league,
)
from salvo.reports.standings.standing import Standing
from tests.salvo.reports.standings.records import Record, league_of, met, tournament

PLAYED = tournament(["ada@2", "bob@1", "cy@3"], "planned")
RECORD: Any = Record(
    PLAYED,
    met("ada@2", "bob@1", "wwlwww"),
    met("ada@2", "cy@3", "wwwlww"),
    met("cy@3", "bob@1", "wlwlwl"),
)
BY_VERSIONS = "Played by the versions that were in the league at the beginning: ada@2, bob@1, cy@3."


def shown(games: PlannedGames | None = None, looks: int = 4, **more: Any) -> Standing:  # noqa: ANN401 - what a league is given
    planned = SimpleNamespace(name="first", games=6, looks=looks)
    other = SimpleNamespace(name="other", games=2, looks=1)
    anchor = more.pop("anchor", None)
    charter = {"anchor": anchor, "tournaments": (other, planned)}
    entries = [Entry(name=name, version=1, digest="", words=()) for name in ("ada", "bob", "cy")]
    league = league_of(*entries, record=PLAYED, charter=charter, **more)
    return planned_standing(RECORD, PLAYED, league, games=games)


def games_of(standing: Standing) -> dict[str, int]:
    assert standing.ratings is not None
    table = standing.ratings.table
    return dict(zip(table["bot"], table["games"], strict=True))


@pytest.mark.parametrize(
    ("games", "counted"),
    [
        (None, {"ada": 12, "bob": 12, "cy": 12}),
        (PlannedGames(pairs=1), {"ada": 4, "bob": 4, "cy": 4}),
        (PlannedGames(without=frozenset({"cy@3"})), {"ada": 6, "bob": 6}),
    ],
)
def test_so_many_pairs_count_of_those_that_stayed(
    games: PlannedGames | None, counted: dict[str, int]
) -> None:
    assert games_of(shown(games)) == counted


@pytest.mark.parametrize(("looks", "told"), [(4, "all 4 looks together"), (1, "the look")])
def test_note_says_at_how_many_looks_ranks_hold(looks: int, told: str) -> None:
    [note] = shown(looks=looks).notes
    assert note == (
        f"{BY_VERSIONS} Ranks and verdicts hold at {told}, with 95% confidence; intervals are "
        "those of a number of games that was fixed."
    )


def test_pairings_left_out_of_the_league_do_not_count() -> None:
    left_out = frozenset({frozenset({"bob", "ada"})})
    assert games_of(shown(left_out=left_out)) == {"ada": 6, "bob": 6, "cy": 12}


def test_anchor_holds_the_scale_where_it_met_somebody() -> None:
    anchored = shown(anchor=Anchor(bot="bob@1", elo=1000.0)).ratings
    assert anchored is not None
    assert anchored.table.set_index("bot").loc["bob", "elo"] == 1000
    elsewhere = shown(anchor=Anchor(bot="bob@2", elo=1000.0)).ratings
    assert elsewhere is not None
    assert elsewhere.table.set_index("bot").loc["bob", "elo"] != 1000


def test_without_its_league_all_that_was_played_counts() -> None:
    standing = planned_without_league(RECORD, PLAYED)
    assert games_of(standing) == {"ada": 12, "bob": 12, "cy": 12}
    [note] = standing.notes
    assert note.startswith("A look may have ended these games early")


@pytest.mark.parametrize(
    ("planned", "note"),
    [
        (None, "A look may have ended these games early"),  # no league lies beside the record
        ((), "A look may have ended these games early"),
        (("other", "first"), "Played by the versions that were in the league"),
    ],
)
def test_looks_are_those_of_the_league_that_planned_it(
    monkeypatch: pytest.MonkeyPatch, planned: tuple[str, ...] | None, note: str
) -> None:
    tournaments = tuple(SimpleNamespace(name=name, games=6, looks=4) for name in planned or ())
    league = league_of(record=PLAYED, charter={"tournaments": tournaments})
    found = None if planned is None else league
    monkeypatch.setattr(league_standing, "league_of", lambda _: found)
    [told] = league_standing.standing_in(RECORD, PLAYED).notes
    assert told.startswith(note)
