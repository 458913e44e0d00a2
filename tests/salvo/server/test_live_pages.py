"""What those who watch are sent of a game in play, and what is told of a tournament."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from arena.league import Planned
from salvo.server import results, tournaments
from salvo.server.database.server_database import Database
from salvo.server.forgetting.plan import Forgetting
from salvo.server.results import LookTaken, Result
from salvo.server.tournaments import Look, Shown, rule_of, shown
from salvo.server.web import live_games, live_pages
from salvo.server.web.channels import OnAir, Stage
from salvo.server.web.live_games import Row
from salvo.server.web.live_pages import LivePages
from salvo.server.web.live_stream import Airing


class Games:
    """Games that are watched: how many salvos each has, and what was asked for."""

    def __init__(self, **salvos: int) -> None:
        self.salvos = salvos
        self.asked: list[tuple[str, int]] = []

    def replays(self, game: str, after: int = 0) -> Sequence[Any]:
        self.asked.append((game, after))
        frames = range(after, self.salvos[game])
        return [SimpleNamespace(key=key, frames=frames) for key in ("first", "both")]


@pytest.fixture
def games() -> Games:
    return Games(a=3, b=1)


@pytest.fixture
def pages(games: Games, monkeypatch: pytest.MonkeyPatch) -> LivePages:
    monkeypatch.setattr(live_pages, "plain_frame", lambda frame: frame)
    context: Any = SimpleNamespace(authentication=SimpleNamespace(reader=None))
    rendering: Any = SimpleNamespace(page=None)
    return LivePages(context, rendering, games)  # type: ignore[arg-type]


def on_air(game: str, salvos: int, at_s: float, stage: Stage = "in play") -> OnAir:
    return OnAir(game, at_s, 0.5, stage, salvos)


def numbers(salvos: list[str]) -> list[int]:
    told = [json.loads(salvo) for salvo in salvos]
    assert all(one == {"first": one["first"], "both": one["first"]} for one in told)
    return [one["first"] for one in told]


def test_salvos_are_read_once_and_new_ones_when_they_are_about_to_be_shown(
    pages: LivePages, games: Games
) -> None:
    assert numbers(pages._salvos(on_air("a", 3, 0.0))) == [0, 1, 2]
    games.salvos["a"] = 5
    assert numbers(pages._salvos(on_air("a", 3, 9.0))) == [0, 1, 2]
    assert numbers(pages._salvos(on_air("a", 5, 0.25))) == [0, 1, 2]
    assert games.asked == [("a", 0)]
    assert numbers(pages._salvos(on_air("a", 5, 0.5))) == [0, 1, 2, 3, 4]
    assert games.asked == [("a", 0), ("a", 3)]
    games.salvos["a"] = 2
    assert numbers(pages._salvos(on_air("a", 2, 0.0))) == [0, 1]  # it is played again
    assert games.asked[2:] == [("a", 0)]


def test_salvos_of_the_games_that_were_watched_last_are_kept(
    pages: LivePages, games: Games, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_pages, "_MOST_KEPT", 1)
    for game, salvos in (("a", 3), ("b", 1), ("b", 1), ("a", 3)):
        pages._salvos(on_air(game, salvos, 0.0))
    assert games.asked == [("a", 0), ("b", 0), ("a", 0)]


def test_salvos_of_a_game_that_is_over_are_forgotten(
    pages: LivePages, games: Games, monkeypatch: pytest.MonkeyPatch
) -> None:
    now: list[OnAir | None] = []
    channel = SimpleNamespace(now=lambda: now.pop(0))
    monkeypatch.setattr(pages, "_channel", lambda _: channel)
    over = on_air("b", 1, 0.0, "over")
    now += [None, on_air("b", 1, 0.0), over, on_air("b", 1, 0.0)]
    assert pages._watched("") is None
    assert pages._watched("") == Airing(on_air("b", 1, 0.0), ['{"first":0,"both":0}'])
    assert pages._watched("") == Airing(over, [])
    pages._watched("")
    assert games.asked == [("b", 0), ("b", 0)]


def test_rows_are_of_one_bot_or_of_all() -> None:
    two, alone = Row("1", "ada@1", "bob@12"), Row("2", "ada@1", None)
    found = [
        [live_games._is_of(row, name) for row in (two, alone)] for name in (None, "ada", "bob", "b")
    ]
    assert found == [[True, True], [True, True], [True, False], [False, False]]


def test_games_that_were_asked_for_last_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_games, "_KEPT", 2)
    kept = live_games.OrderedDict[str, Any]()
    for game in "abac":
        live_games._keep(kept, game, game.upper())
    assert list(kept.items()) == [("a", "A"), ("c", "C")]


PLANNED = Planned(
    name="sprint", at=datetime(2026, 6, 1, 12, tzinfo=UTC), games=40, looks=2, seed="123"
)
LEAGUE: Any = SimpleNamespace(folder=Path("nowhere"), charter=SimpleNamespace(block_pairs=10))
LOOKS = [LookTaken(10, 118, ["ada@1", "bob@1"], "then"), LookTaken(20, 236, ["ada@1"], "later")]
ENTRANTS = [f"{name}@1" for name in ("ada", "bob", "cy", "hunt_target")]


@pytest.mark.parametrize(
    ("result", "more"),
    [
        (None, {"state": "planned", "most_games": 0}),
        (
            Result(
                planned=PLANNED,
                began="now",
                entrants=ENTRANTS,
                bosses=["hunt_target"],
                looks=LOOKS[:1],
            ),
            {
                "state": "played",
                "most_games": 240,
                "began": "now",
                "entrants": ENTRANTS,
                "bosses": ["hunt_target"],
                "taken": [
                    Look(
                        "then",
                        20,
                        118,
                        ["ada@1", "bob@1"],
                        "2 bots may be the best: ada@1, bob@1; ada@1 has the highest rating.",
                    )
                ],
            },
        ),
        (
            Result(planned=PLANNED, began="now", entrants=[], bosses=[], ended="later"),
            {"state": "ended", "most_games": 0, "began": "now", "ended": "later", "seed": "123"},
        ),
    ],
)
def test_seed_of_a_tournament_is_told_once_it_has_ended(
    monkeypatch: pytest.MonkeyPatch, result: Result | None, more: dict[str, Any]
) -> None:
    monkeypatch.setattr(tournaments, "read_result", lambda *_: result)
    assert shown(LEAGUE, PLANNED) == Shown(
        name="sprint",
        at=PLANNED.at,
        games_a_pairing=40,
        looks=2,
        rule=rule_of(PLANNED, 10),
        fingerprint=PLANNED.fingerprint,
        **more,
    )


def test_plan_to_forget_somebody_knows_their_names() -> None:
    plan = Forgetting({"Ada": "deleted-1", "lovelace": "deleted-2"}, 7, [])
    assert [plan.is_of(who) for who in ("ada", "ADA", "lovelace", "bob", 7, 1)] == [
        *(True, True, True),
        *(False, True, False),
    ]
    names = ("Ada@12", "lovelace", "bob@1", "Adam@1")
    assert [plan.full_name(name) for name in names] == ["deleted-1@12", "deleted-2", None, None]
    assert plan.renamed("Ada met bob and Adam") == "deleted-1 met bob and Adam"
    assert plan.words == "Ada"
    assert Forgetting({}, 7, []).words == "--invite 7"


def test_look_is_due_once_the_games_before_it_are_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def begun(name: str, **more: Any) -> Result:  # noqa: ANN401 - fields of a result
        planned = Planned(name=name, at=PLANNED.at, games=40, looks=3, seed="1")
        return Result(planned=planned, began="", entrants=[], bosses=[], **more)

    found = {
        "first": begun("first"),
        "second": begun("second", looks=LOOKS[:1]),
        "ended": begun("ended", looks=LOOKS[:1], ended="then"),
    }
    monkeypatch.setattr(results, "results", lambda _: found)
    with Database(tmp_path) as db:
        assert results.looks_due(LEAGUE, db) == []
        for result in found.values():
            results.note_played(db, result.planned, 1)
        assert results.looks_due(LEAGUE, db) == ["first"]
        for result in found.values():
            results.note_played(db, result.planned, 2)
        assert results.looks_due(LEAGUE, db) == ["second"]
