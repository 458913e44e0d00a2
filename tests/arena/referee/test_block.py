"""A block of games: forfeits that bar, blocks that are void, players that are stopped."""

import logging
from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from arena.player import Fault, Killed, Starved
from arena.records import Block, Fixture, Game, Settings, Termination, Void, comparable
from arena.referee import FORFEITS_BEFORE_BARRED, play_block
from arena.rules import Rules
from arena.scorebook import Scorebook

Players = dict[str, Any]  # the ones that conftest makes
MakeBlock = Callable[..., Block]
TIMEOUT = Fault(Termination.TIMEOUT, "too slow")


@pytest.fixture
def play(
    block: MakeBlock, rules: Rules, settings: Settings, players: Players
) -> Callable[..., tuple[Game, ...]]:
    def play(games: int, **kind: bool) -> tuple[Game, ...]:
        return play_block(block(games, **kind), rules, settings, players, redraw)[0]

    return play


Play = Callable[..., tuple[Game, ...]]


def redraw(fixture: Fixture, attempt: int) -> tuple[int, int]:
    return fixture.pair, 1000 + attempt


def test_games_are_played_in_order(play: Play) -> None:
    assert [game.fixture.id for game in play(3)] == ["game 0", "game 1", "game 2"]


def test_seats_swap_from_game_to_game_and_each_seat_gets_its_seed(
    play: Play, players: Players
) -> None:
    play(2)
    assert [(o.seat, o.seed) for o in players["a"].openings] == [("first", 100), ("second", 200)]
    assert [(o.seat, o.seed) for o in players["b"].openings] == [("second", 200), ("first", 100)]


def test_one_process_of_each_bot_plays_the_whole_block(play: Play, players: Players) -> None:
    play(4)
    for player in players.values():
        assert player.log == [*4 * ["start"], ("stop", None)]


def test_players_are_stopped_whatever_happens(play: Play, players: Players) -> None:
    players["a"].faults["ask", 0, 2] = RuntimeError("a bug")
    with pytest.raises(RuntimeError):
        play(2)
    assert players["a"].log[-1] == players["b"].log[-1] == ("stop", None)


def test_bot_that_forfeited_starts_anew_and_the_other_goes_on(play: Play, players: Players) -> None:
    players["a"].faults["ask", 0, 2] = TIMEOUT
    _, second = play(2, swap=False)
    assert second.termination is Termination.SUNK
    assert players["a"].log == ["start", ("stop", Termination.TIMEOUT), "start", ("stop", None)]
    assert players["b"].log == ["start", "start", ("stop", None)]


def test_third_forfeit_forfeits_the_rest(play: Play, players: Players) -> None:
    for number in (0, 1, 3):
        players["a"].faults["ask", number, 1] = TIMEOUT
    games = play(6)
    assert [game.termination for game in games] == [
        *2 * [Termination.TIMEOUT],
        Termination.SUNK,
        Termination.TIMEOUT,
        *2 * [Termination.BARRED],
    ]
    assert [game.forfeit for game in games] == [
        "first",
        "second",
        None,
        "second",
        "first",
        "second",
    ]
    assert games[-1].reason == f"it had forfeited {FORFEITS_BEFORE_BARRED} games of this block"


def test_barred_bot_is_asked_nothing_more(play: Play, players: Players) -> None:
    for number in range(3):
        players["a"].faults["begin", number, 0] = TIMEOUT
    games = play(6)
    assert len(players["a"].openings) == 3
    assert games[-1].steps == ()
    assert games[-1].layouts == {}


def test_where_both_fail_only_one_can_be_barred(play: Play, players: Players) -> None:
    for player in players.values():
        for number in range(6):
            player.faults["ask", number, 0] = TIMEOUT
    games = play(10)  # whoever sits first fails, until a has failed three times
    assert [game.termination for game in games] == 5 * [TIMEOUT.termination] + 5 * ["barred"]
    assert {
        game.fixture.first if game.forfeit == "first" else game.fixture.second for game in games[5:]
    } == {"a"}


def test_alone_three_forfeits_bar_as_well(play: Play, players: Players) -> None:
    for number in range(3):
        players["a"].faults["ask", number, 0] = TIMEOUT
    games = play(5, solo=True)
    assert [game.termination for game in games[3:]] == 2 * [Termination.BARRED]
    assert {game.result for game in games} == {"second"}
    assert "second" in games[-1].layouts


@pytest.mark.parametrize("kind", [Starved, Killed])
def test_game_with_a_doubtful_fault_is_played_again_and_the_games_before_it_stand(
    play: Play, players: Players, kind: type[Fault], caplog: pytest.LogCaptureFixture
) -> None:
    players["a"].faults["ask", 1, 3] = kind(Termination.TIMEOUT, "waited for a processor")
    with caplog.at_level(logging.WARNING):
        games = play(3)
    assert [game.termination for game in games] == 3 * [Termination.SUNK]
    assert [game.fixture.attempt for game in games] == [0, 1, 0]
    assert len(players["b"].openings) == 1 + 2 + 1
    assert caplog.messages == [
        "a game of a and b is void and played again: a waited for a processor"
    ]


def test_void_game_is_played_again_by_fresh_processes_of_both(play: Play, players: Players) -> None:
    players["a"].faults["ask", 1, 3] = Starved(Termination.TIMEOUT, "waited")
    play(2)
    for player in players.values():
        assert player.log == ["start", "start", ("stop", None), "start", ("stop", None)]


def test_void_game_is_played_again_on_other_seeds(play: Play, players: Players) -> None:
    for number in (0, 1):
        players["b"].faults["ask", number, 2] = Killed(Termination.EXITED, "was killed")
    game, _ = play(2)
    assert [opening.seed for opening in players["a"].openings[:3]] == [100, 0, 0]
    assert [opening.seed for opening in players["b"].openings[:3]] == [200, 1001, 1002]
    assert game.fixture.seeds == (0, 1002)


def test_third_doubtful_fault_of_a_bot_in_a_block_is_a_forfeit(
    play: Play, players: Players
) -> None:
    for number in (0, 2, 4):  # in its first game, its second, and that one again
        players["a"].faults["ask", number, 3] = Killed(Termination.EXITED, "was killed")
    games = play(4)
    assert [game.forfeit for game in games] == [None, None, "first", None]
    assert games[2].termination is Termination.EXITED


def test_each_of_two_bots_may_void_two_games(play: Play, players: Players) -> None:
    for number in (0, 1):
        players["a"].faults["ask", number, 3] = Killed(Termination.EXITED, "was killed")
    for number in (2, 3):
        players["b"].faults["ask", number, 3] = Killed(Termination.EXITED, "was killed")
    [game] = play(1)
    assert (game.forfeit, game.fixture.attempt) == (None, 4)


def test_voids_say_whose_process_it_was(
    block: MakeBlock, rules: Rules, settings: Settings, players: Players
) -> None:
    players["b"].faults["ask", 0, 1] = Killed(Termination.EXITED, "was killed by SIGKILL")
    _, voids = play_block(block(1), rules, settings, players, redraw)
    assert voids == (Void("game 0", 0, "b", "was killed by SIGKILL"),)


def test_forfeits_before_a_void_game_count(play: Play, players: Players) -> None:
    for number in range(2):
        players["a"].faults["ask", number, 0] = TIMEOUT
    players["a"].faults["ask", 2, 0] = Starved(Termination.TIMEOUT, "starved")
    players["a"].faults["ask", 3, 0] = TIMEOUT
    games = play(4)
    assert [game.termination for game in games] == [*3 * [TIMEOUT.termination], "barred"]


class Follower:
    """Notes how many steps it saw of each game, and how each ended."""

    def __init__(self) -> None:
        self.steps: list[tuple[str, int]] = []
        self.outcomes: list[Game | Void] = []

    def acted(self, book: Scorebook) -> None:
        self.steps.append((book.fixture.id, len(book.steps)))

    def ended(self, outcome: Game | Void) -> None:
        self.outcomes.append(outcome)


def test_observer_sees_every_step_and_every_end_and_changes_nothing(
    block: MakeBlock, rules: Rules, settings: Settings, players: Players, play: Play
) -> None:
    unseen = play(2)
    for player in players.values():
        player.openings.clear()
    players["a"].faults["ask", 0, 1] = Killed(Termination.EXITED, "killed")
    follower = Follower()
    seen, voids = play_block(block(2), rules, settings, players, redraw, observer=follower)
    assert [comparable(replace(game, fixture=unseen[0].fixture)) for game in seen[:1]] == [
        comparable(unseen[0])
    ]
    assert comparable(seen[1]) == comparable(unseen[1])
    assert follower.outcomes == [voids[0], *seen]
    whole = [(game.fixture.id, step + 1) for game in seen for step in range(len(game.steps))]
    assert follower.steps[-len(whole) :] == whole
