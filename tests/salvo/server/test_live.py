"""What is on the air: games in play at a speed to follow, and of people what both sides know."""

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from arena.league import Charter, League
from arena.player import Fault
from arena.protocol import Layout, Shots, encode
from arena.records import Fixture, Termination
from arena.resumed_game import from_line
from arena.rules import preset
from arena.scorebook import Scorebook
from leaderboards.display.replay_frames import plain_replay
from salvo.bundled import bundled_bots
from salvo.server.database.human_games import HumanGame, HumanGames
from salvo.server.database.keys import find_key, new_invite
from salvo.server.database.server_database import Database
from salvo.server.in_play import Publisher
from salvo.server.kept_games import SHOWN
from salvo.server.web.channels import FAST_S, Channel, Progress
from salvo.server.web.live_games import LiveGames, Row
from tests.salvo.server.conftest import Clock


class Games:
    """Games by their ids, and a channel that shows them."""

    def __init__(self) -> None:
        self.known: dict[str, Progress] = {}
        self.channel = Channel(lambda: list(self.known), self.known.get)

    def shown(self) -> tuple[str, str, int, float]:
        """Return the game on the air, its stage, and the number and time of the salvo shown."""
        now = self.channel.now()
        assert now is not None
        salvo = min(1 + int(now.at_s / now.salvo_s), now.salvos)
        return now.game, now.stage, salvo, now.salvo_s


def test_slow_game_is_shown_from_where_it_stands_and_each_salvo_as_it_comes(clock: Clock) -> None:
    games = Games()
    games.known["slow"] = Progress(7, "in play", took_s=30)
    assert games.shown() == ("slow", "in play", 7, 1.0)
    clock.now += 20
    assert games.shown() == ("slow", "in play", 7, 1.0)
    games.known["slow"] = Progress(8, "in play", took_s=50)
    assert games.shown() == ("slow", "in play", 8, 1.0)


def test_game_too_fast_to_follow_is_shown_from_its_beginning_at_a_speed_to_follow(
    clock: Clock,
) -> None:
    games = Games()
    games.known["fast"] = Progress(50, "in play", took_s=1.1)
    assert games.shown() == ("fast", "in play", 1, FAST_S)
    clock.now += 10.5 * FAST_S
    games.known["fast"] = Progress(90, "over")
    assert games.shown()[:3] == ("fast", "over", 11)
    clock.now += 3
    shown = games.shown()
    assert shown[:2] == ("fast", "over")
    assert 11 < shown[2] < 20


def test_game_that_is_broken_off_is_said_to_be_and_is_shown_when_played_again(
    clock: Clock,
) -> None:
    games = Games()
    games.known["one"] = Progress(7, "in play", took_s=30)
    games.shown()
    del games.known["one"]
    assert games.shown()[:2] == ("one", "gone")
    clock.now += 60
    games.known["one"] = Progress(2, "in play", took_s=10)
    assert games.shown()[:3] == ("one", "in play", 2)


def test_game_in_which_nothing_happens_makes_way_for_another_only(clock: Clock) -> None:
    games = Games()
    games.known["quiet"] = Progress(7, "in play", took_s=30)
    games.shown()
    clock.now += 100
    assert games.shown()[0] == "quiet"
    games.known["other"] = Progress(10, "over")
    clock.now += 2
    assert games.shown()[0] == "other"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a league that nobody serves, with the files of a server."""
    folder = tmp_path / "league"
    league = League(folder, Charter(rules=RULES, seed="12345", layouts=0), bundled_bots())
    with league.candidate(bundled_bots()["hunt_target"], "hunt_target") as candidate:
        league.admit(candidate)
    with Database(folder):
        pass
    return folder


RULES = preset("ramesh-5")


OWN = encode(Layout("", {"Ship of 4": (0, 1, 2, 3), "Ship of 2": (14, 15)}))
THEIRS = encode(Layout("", {"Ship of 4": (4, 5, 6, 7), "Ship of 2": (8, 9)}))


@pytest.fixture
def people(folder: Path) -> Iterator[HumanGames]:
    with HumanGames(folder) as games:
        yield games


def stage_of(live: LiveGames, row: Row) -> tuple[int, str]:
    found = live.progress(row.id)
    assert found is not None
    return found.salvos, found.stage


def begin(people: HumanGames) -> HumanGame:
    """Return a game in which both have placed, and the person hit once."""
    identifier = people.begin(
        bot="hunt_target@1", seat="first", player="secret", address="192.0.2.1", places=9
    )
    for number, line in enumerate((OWN, THEIRS, encode(Shots("", (4, 12))))):
        assert people.append(identifier, number, line, person=True)
    found = people.find(identifier)
    assert found is not None
    return found


def test_game_of_a_person_is_shown_without_name_address_or_what_was_not_hit(
    folder: Path, people: HumanGames
) -> None:
    game = begin(people)
    live = LiveGames(folder)
    [row] = live.in_play("hunt_target")
    assert (row.first, row.second) == (SHOWN, "hunt_target@1")
    assert stage_of(live, row) == (1, "in play")
    [replay] = live.replays(row.id)
    told = json.dumps(plain_replay(replay))
    assert game.id not in told
    [frame] = plain_replay(replay)["frames"]
    assert [panel["marks"] for panel in frame["panels"]] == [16 * "w", "wwwwhwwwwwwwmwww"]
    assert all(panel["hidden"] for panel in frame["panels"])
    assert frame["lines"][1:] == ["A person shoots at B1 and D1: B1 hit."]
    assert live.in_play("uniform_random") == []


def test_game_of_a_person_against_a_bot_of_an_author_is_not_shown(
    folder: Path, people: HumanGames
) -> None:
    begin(people)
    with Database(folder) as db:
        key = find_key(db, new_invite(db, "somebody"))
        assert key is not None
        db.execute("INSERT INTO names (name, invite) VALUES ('hunt_target', ?)", (key.id,))
    assert LiveGames(folder).in_play() == []


def test_both_fleets_of_a_person_stay_hidden_when_the_game_is_over(
    folder: Path, people: HumanGames, clock: Clock
) -> None:
    game = begin(people)
    live = LiveGames(folder)
    [row] = live.in_play()
    live.progress(row.id)
    book = Scorebook(game.fixture, RULES)
    for line in game.actions:
        assert book.state.request is not None
        book.play(from_line(line, book.state.request), 0.0)
    record = book.record("second", Fault(Termination.TIMEOUT, "too slow"))
    people.finish(game.id, "over", record=record)
    clock.now += 10
    assert stage_of(live, row) == (1, "over")
    assert live.in_play() == []
    [replay] = live.replays(row.id)
    assert "s" not in "".join(panel.marks[0] for panel in replay.frames[0].panels)
    assert not live.is_recorded(row.id)


@pytest.mark.parametrize("hides", [False, True])
def test_fleets_of_bots_that_reach_the_network_are_not_shown_in_play(
    folder: Path,
    hides: bool,  # noqa: FBT001 - a case
) -> None:
    book = Scorebook(Fixture("0" * 16, "a@1", "b@1", 0, (1, 2)), RULES)
    with closing(Publisher(folder, followed_s=-1)) as publisher:
        publisher.hides_fleets = hides
        for line in (OWN, THEIRS, encode(Shots("", (4, 12)))):
            assert book.state.request is not None
            book.play(from_line(line, book.state.request), 0.0)
            publisher.acted(book)
        live = LiveGames(folder)
        [row] = live.in_play()
        live.progress(row.id)
        shown = json.dumps([plain_replay(replay)["frames"] for replay in live.replays(row.id)])
        assert ("ssss" in shown) is not hides
        publisher.hides_fleets = False
        publisher.ended(book.record("second", Fault(Termination.TIMEOUT, "too slow")))
        live = LiveGames(folder)
        live.progress(row.id)
        assert "ssss" in json.dumps([plain_replay(one)["frames"] for one in live.replays(row.id)])


def test_view_of_one_bot_tells_no_more_than_it_was_told(
    folder: Path,
) -> None:
    book = Scorebook(Fixture("0" * 16, "a@1", "b@1", 0, (1, 2)), RULES)
    with closing(Publisher(folder, followed_s=-1)) as publisher:
        lines = (OWN, THEIRS, *(encode(Shots("", cells)) for cells in SHOTS))
        for line in lines:
            assert book.state.request is not None
            book.play(from_line(line, book.state.request), 0.0)
            publisher.acted(book)
        live = LiveGames(folder)
        [row] = live.in_play()
        assert stage_of(live, row) == (3, "in play")
        first, second, both = (plain_replay(one)["frames"][-1] for one in live.replays(row.id))
    marks = [[panel["marks"] for panel in view["panels"]] for view in (first, second, both)]
    assert marks == [
        ["ssss" + 8 * "w" + "mmss", "wwwwhhwwhhwwwwww"],
        [12 * "w" + "mmww", "wwwwhhssxxwwwwww"],
        ["ssss" + 8 * "w" + "mmss", "wwwwhhssxxwwwwww"],
    ]
    assert "sinks" in both["lines"][1]
    assert first["lines"][1] == second["lines"][1] == "a@1 shoots at C1 and C2: C1 and C2 hit."


SHOTS = ((4, 5), (12, 13), (8, 9))
