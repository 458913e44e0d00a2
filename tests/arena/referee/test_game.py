"""One game: who is asked, told and recorded."""

from collections.abc import Callable
from typing import Any

import pytest

from arena.player import Fault, News, Unsure
from arena.protocol import Limits
from arena.records import Block, Game, PlaceStep, Settings, ShootStep, Termination
from arena.referee import play_game
from arena.replay import replay
from arena.rules import CellsReport, Place, PlaceRequest, Rules, Shoot, ShootRequest, view

Players = dict[str, Any]  # the ones that conftest makes
MakeBlock = Callable[..., Block]


@pytest.fixture
def play(
    block: MakeBlock, rules: Rules, settings: Settings, players: Players
) -> Callable[..., Game]:
    def play(*, solo: bool = False) -> Game:
        return play_game(block(1, solo=solo).fixtures[0], rules, settings, players)

    return play


Play = Callable[..., Game]


def test_game_ends_when_the_last_ship_is_sunk(play: Play) -> None:
    game = play()
    assert (game.result, game.termination, game.forfeit) == ("first", Termination.SUNK, None)


def test_steps_lead_to_the_result_when_they_are_played_again(play: Play, rules: Rules) -> None:
    game = play()
    *_, last = replay(game, rules)
    assert last.result == game.result


def test_tallies_count_turns_shots_and_hits(play: Play) -> None:
    first, second = play().tallies
    # The Boat at 15 and 16 costs each its second shot: 8 salvos of 2, and 5 of 1 to cell 22.
    assert (first.turns, first.shots, first.hits) == (14, 23, 5)
    assert (second.turns, second.shots, second.hits) == (13, 21, 3)


def test_charges_are_recorded_to_the_microsecond(play: Play) -> None:
    steps = play().steps
    assert steps[0] == PlaceStep("first", 0.123457)
    assert steps[2] == ShootStep("first", (0, 1), 0.25)


def test_layouts_are_recorded(play: Play) -> None:
    layout = {"Cruiser": [20, 21, 22], "Boat": [15, 16]}
    assert play().layouts == {"first": layout, "second": layout}


def test_each_seat_gets_its_rules_seat_seed_and_limits(
    play: Play, players: Players, rules: Rules
) -> None:
    play()
    (first,), (second,) = players["a"].openings, players["b"].openings
    assert (first.seat, first.seed, second.seat, second.seed) == ("first", 100, "second", 200)
    assert first.rules == second.rules == view(rules)
    assert first.limits == second.limits == Limits(move_s=1, game_s=10, load_s=5)
    assert not first.solo


def test_seats_are_asked_in_turn(play: Play, players: Players) -> None:
    play()
    asked = [request for request, _ in players["b"].asked[0]]
    assert asked[0] == PlaceRequest("second")
    assert {type(request) for request in asked[1:]} == {ShootRequest}


def test_report_comes_with_the_next_request_and_once(play: Play, players: Players) -> None:
    play()
    news = [news for request, news in players["a"].asked[0] if isinstance(request, ShootRequest)]
    assert news[0].report is None
    assert news[1].report == CellsReport((), ())
    # The ninth salvo is 16 and 17: it sinks the Boat, of which the eighth hit 15.
    assert [news[8].report, news[9].report] == [
        CellsReport((15,), ()),
        CellsReport((16,), ("Boat",)),
    ]


def test_salvos_of_the_other_are_sent_once_and_in_order(play: Play, players: Players) -> None:
    game = play()
    told = [salvo for _, news in players["a"].asked[0] for salvo in news.incoming]
    told += players["a"].endings[0].incoming
    fired = [
        step.cells for step in game.steps if isinstance(step, ShootStep) and step.seat == "second"
    ]
    assert told == fired


def test_request_to_place_comes_without_news(play: Play, players: Players) -> None:
    play()
    assert players["b"].asked[0][0] == (PlaceRequest("second"), News())


def test_both_learn_how_the_game_ended(play: Play, players: Players) -> None:
    play()
    (won,), (lost,) = players["a"].endings, players["b"].endings
    assert (won.result, lost.result) == ("won", "lost")
    assert won.termination == lost.termination == "sunk"
    assert won.opponent_layout == {"Cruiser": (20, 21, 22), "Boat": (15, 16)}


def test_last_salvo_is_reported_at_the_end(play: Play, players: Players) -> None:
    play()
    (won,), (lost,) = players["a"].endings, players["b"].endings
    assert won.report == CellsReport((22,), ("Cruiser",))
    assert won.incoming == ()
    assert lost.report == CellsReport((20,), ())
    assert lost.incoming[-1] == (22,)


@pytest.mark.parametrize("seat", ["first", "second"])
@pytest.mark.parametrize(("call", "request_"), [("start", 0), ("begin", 0), ("ask", 0), ("ask", 3)])
def test_first_fault_ends_the_game(
    play: Play, players: Players, seat: str, call: str, request_: int
) -> None:
    name, other = ("a", "b") if seat == "first" else ("b", "a")
    players[name].faults[call, 0, request_] = Fault(Termination.TIMEOUT, "too slow")
    game = play()
    assert game.forfeit == seat
    assert game.result != seat
    assert (game.termination, game.reason) == (Termination.TIMEOUT, "too slow")
    assert players[name].log == ["start", ("stop", Termination.TIMEOUT)]
    assert ("stop", None) not in players[other].log


@pytest.mark.parametrize(
    ("request_", "action", "reason"),
    [
        (0, Place({"Cruiser": (0, 1, 2)}), "the layout lacks the ship 'Boat'"),
        (0, Shoot((0,)), "does not answer"),
        (1, Shoot((0, 25)), "cell 25 is outside the board (0 to 24)"),
        (1, Shoot((0,)), "shots due: 2, fired: 1"),
        (2, Shoot((0, 2)), "cell 0 was already shot"),
    ],
)
def test_what_the_rules_forbid_is_a_forfeit(
    play: Play, players: Players, request_: int, action: Shoot | Place, reason: str
) -> None:
    players["a"].faults["ask", 0, request_] = action
    game = play()
    assert (game.termination, game.forfeit) == (Termination.ILLEGAL, "first")
    assert reason in game.reason
    assert players["a"].log[-1] == ("stop", Termination.ILLEGAL)


def test_steps_before_a_fault_stay_in_the_record(play: Play, players: Players) -> None:
    players["b"].faults["ask", 0, 2] = Fault(Termination.EXITED, "gone")
    assert [type(step) for step in play().steps] == [PlaceStep, PlaceStep, *3 * [ShootStep]]


def test_other_bot_learns_of_a_fault_and_where_the_fleet_lay(play: Play, players: Players) -> None:
    players["a"].faults["ask", 0, 2] = Fault(Termination.EXITED, "gone")
    play()
    (end,) = players["b"].endings
    assert (end.result, end.termination, end.reason) == ("won", "exited", "gone")
    assert end.opponent_layout == {"Cruiser": (20, 21, 22), "Boat": (15, 16)}
    assert players["a"].endings == []


def test_fleet_that_was_not_placed_is_not_revealed(play: Play, players: Players) -> None:
    players["b"].faults["ask", 0, 0] = Fault(Termination.EXITED, "gone")
    play()
    assert players["a"].endings[0].opponent_layout is None


def test_of_two_faulty_bots_the_one_asked_first_loses(play: Play, players: Players) -> None:
    for player in players.values():
        player.faults["ask", 0, 0] = Fault(Termination.MALFORMED, "what?")
    assert play().forfeit == "first"


def test_second_seat_need_not_start_where_the_first_does_not(play: Play, players: Players) -> None:
    players["a"].faults["start", 0, 0] = Fault(Termination.UNSTARTED, "no such file")
    play()
    assert players["b"].log == []
    assert players["b"].endings == []


def test_first_seat_learns_that_the_second_did_not_start(play: Play, players: Players) -> None:
    players["b"].faults["start", 0, 0] = Fault(Termination.UNSTARTED, "no such file")
    play()
    assert players["a"].endings[0].result == "won"


def test_doubtful_fault_is_a_verdict_where_nothing_can_be_played_again(
    play: Play, players: Players
) -> None:
    players["a"].faults["ask", 0, 2] = Unsure(Termination.TIMEOUT, "starved")
    assert play().termination is Termination.TIMEOUT


def test_alone_the_other_seat_is_the_arenas(play: Play, players: Players, rules: Rules) -> None:
    game = play(solo=True)
    assert (game.result, game.termination) == ("first", Termination.SUNK)
    assert set(game.layouts) == {"second"}
    assert players["a"].openings[0].solo
    assert players["a"].endings[0].opponent_layout == {
        name: tuple(cells) for name, cells in game.layouts["second"].items()
    }
    *_, last = replay(game, rules)
    assert last.result == "first"


def test_alone_layout_depends_on_the_arenas_seed_alone(
    block: MakeBlock, rules: Rules, settings: Settings, players: Players
) -> None:
    fixtures = block(4, solo=True).fixtures  # two of each seed
    games = [play_game(fixture, rules, settings, players) for fixture in fixtures]
    layouts = [game.layouts["second"] for game in games]
    assert layouts[0] == layouts[1]
    assert layouts[2] == layouts[3]
    assert layouts[0] != layouts[2]


def test_alone_a_forfeit_is_won_by_the_layout(play: Play, players: Players) -> None:
    players["a"].faults["ask", 0, 1] = Fault(Termination.TIMEOUT, "too slow")
    game = play(solo=True)
    assert (game.result, game.forfeit) == ("second", "first")
    assert "second" in game.layouts
