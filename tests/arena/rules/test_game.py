"""The game as tables of cases: salvos, their reports, whose turn it is, how it ends."""

from typing import Any

import msgspec
import pytest

from arena.errors import IllegalActionError
from arena.rules import (
    Action,
    Answer,
    AnswerRequest,
    CellsReport,
    CountReport,
    Move,
    MoveRequest,
    Place,
    PlaceRequest,
    Request,
    Rules,
    Seat,
    Ship,
    Shoot,
    ShootRequest,
    State,
    apply,
    begin,
    begin_solo,
    check_layout,
    other,
    preset,
)

FLEET = (Ship("Ferry", 3, 2), Ship("Tug", 1), Ship("Raft", 2))
LAYOUT = {"Ferry": [0, 1, 2], "Tug": [7], "Raft": [10, 15]}
"""On a board of 4 rows and 5 columns."""


def rules(**fields: Any) -> Rules:  # noqa: ANN401 - any field of Rules
    return Rules(name="small", rows=4, columns=5, fleet=FLEET, **fields)


def opened(**fields: Any) -> State:  # noqa: ANN401 - the same
    """Return a game in which both fleets lie alike and the first seat is to shoot."""
    return play(begin(rules(**fields)), Place(LAYOUT), Place(LAYOUT))


def alone(**fields: Any) -> State:  # noqa: ANN401 - the same
    return begin_solo(rules(**fields), check_layout(rules(), LAYOUT))


def play(state: State, *actions: Action | list[int]) -> State:
    """Apply actions one after another; a list is a salvo."""
    for action in actions:
        state = apply(state, Shoot(action) if isinstance(action, list) else action)
    return state


def report(state: State) -> CellsReport | CountReport:
    assert state.salvo is not None
    return state.salvo.report


def shots_due(state: State) -> tuple[Seat, int]:
    assert isinstance(state.request, ShootRequest)
    return state.request.seat, state.request.shots


def over(state: State) -> tuple[str | None, str | None]:
    assert state.request is None
    return state.result, state.ending


MISSES = [3, 4, 5, 6, 8, 9, 11, 12, 13, 14, 16, 17, 18, 19]
ALL = [0, 1, 2, 7, 10, 15]


def test_the_first_seat_places_then_the_second_then_the_first_shoots() -> None:
    requests: list[Request | None] = []
    state = begin(rules())
    for action in (Place(LAYOUT), Place(LAYOUT)):
        requests.append(state.request)
        state = apply(state, action)
    requests.append(state.request)
    assert requests == [PlaceRequest("first"), PlaceRequest("second"), ShootRequest("first", 1)]


def test_turns_alternate() -> None:
    state = opened()
    for turn in range(6):
        assert shots_due(state) == ("first" if turn % 2 == 0 else "second", 1)
        state = play(state, [MISSES[turn]])


@pytest.mark.parametrize(
    ("cells", "reason"),
    [
        ([], "shots due: 2, fired: 0"),
        ([3], "shots due: 2, fired: 1"),
        ([3, 4, 5], "shots due: 2, fired: 3"),
        ([3, 3], "cell 3 appears twice in one salvo"),
        ([-1, 3], "cell -1 is outside the board (0 to 19)"),
        ([3, 20], "cell 20 is outside the board (0 to 19)"),
        ([2**60, 3], "is outside the board"),
        ([3, 19], "cell 19 was already shot"),
        ([0, 3], "cell 0 was already shot"),
    ],
)
def test_an_illegal_salvo_is_refused_with_the_reason(cells: list[int], reason: str) -> None:
    state = play(opened(shots=2), [19, 0], [3, 4])
    with pytest.raises(IllegalActionError) as caught:
        apply(state, Shoot(cells))
    assert reason in str(caught.value)


def test_the_opponents_shots_are_no_hindrance() -> None:
    assert shots_due(play(opened(), [3], [3])) == ("first", 1)


@pytest.mark.parametrize(
    ("salvo", "hits", "sunk"),
    [
        ([3, 4], [], []),
        ([3, 0], [0], []),
        ([2, 0], [2, 0], []),
        ([7, 3], [7], ["Tug"]),
        ([15, 10], [15, 10], ["Raft"]),
    ],
)
def test_hits_are_reported_in_the_order_shot_and_ships_by_name(
    salvo: list[int], hits: list[int], sunk: list[str]
) -> None:
    assert report(play(opened(shots=2), salvo)) == CellsReport(tuple(hits), tuple(sunk))


def test_ships_sunk_by_one_salvo_are_reported_in_the_order_of_the_fleet() -> None:
    state = play(opened(shots=4), [15, 7, 10, 0])
    assert report(state) == CellsReport((15, 7, 10, 0), ("Tug", "Raft"))


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"sinkings": "unnamed"}, CellsReport((7, 0), 1)),
        ({"sinkings": "silent"}, CellsReport((7, 0), None)),
        ({"told": "count"}, CountReport(2, None, ("Tug",))),
        ({"told": "count", "sinkings": "silent"}, CountReport(2, None, None)),
        ({"told": "count-by-ship"}, CountReport(2, {"Ferry": 1, "Tug": 1}, ("Tug",))),
    ],
)
def test_less_is_reported_where_the_rules_say_so(
    fields: dict[str, Any], expected: CellsReport | CountReport
) -> None:
    assert report(play(opened(shots=2, **fields), [7, 0])) == expected


# --- Shots due ---


def test_salvo_counts_the_ships_that_the_shooter_had_afloat_when_the_turn_began() -> None:
    state = opened(shots="afloat")
    assert shots_due(state) == ("first", 3)
    state = play(state, [7, 10, 15])  # two ships of the second seat are sunk
    assert shots_due(state) == ("second", 1)
    state = play(state, [7])  # and one of the first
    assert shots_due(state) == ("first", 2)


def test_salvo_of_the_preset_begins_with_five() -> None:
    layout = {
        ship.name: range(10 * row, 10 * row + ship.length)
        for row, ship in enumerate(preset("salvo").fleet)
    }
    state = play(begin(preset("salvo")), Place(layout), Place(layout))
    assert shots_due(state) == ("first", 5)


def test_shots_by_ship_are_summed_over_the_ships_afloat() -> None:
    state = opened(shots="by-ship")
    assert shots_due(state) == ("first", 4)
    assert shots_due(play(state, [0, 1, 2, 3])) == ("second", 2)
    assert shots_due(play(state, [7, 3, 4, 5])) == ("second", 3)


def test_never_more_shots_than_cells_left() -> None:
    state = opened(shots=11)
    state = play(state, [*MISSES[:10], 0], [*MISSES[:10], 0])
    assert shots_due(state) == ("first", 9)


def test_shooting_again_needs_a_reported_hit() -> None:
    state = opened(again=True)
    assert shots_due(play(state, [0])) == ("first", 1)
    assert shots_due(play(state, [0], [3])) == ("second", 1)


def test_a_cell_may_be_shot_again_where_the_rules_say_so() -> None:
    state = play(opened(reshoot=True, shots=2), [0, 3], [3, 4], [0, 3])
    assert report(state) == CellsReport((0,), ())
    with pytest.raises(IllegalActionError, match="appears twice"):
        apply(state, Shoot([3, 3]))


# --- The end ---


def test_the_game_ends_the_moment_a_side_has_no_ship_left() -> None:
    state = play(opened(shots=6), ALL)
    assert over(state) == ("first", "sunk")
    assert over(play(opened(shots=6), MISSES[:6], ALL)) == ("second", "sunk")
    with pytest.raises(IllegalActionError, match="the game is over"):
        apply(state, Shoot([3]))


def test_with_equal_turns_the_second_seat_has_a_reply() -> None:
    state = play(opened(shots=6, end="equal-turns"), ALL)
    assert shots_due(state) == ("second", 6)
    assert state.turns == (1, 1)
    assert over(play(state, ALL)) == ("draw", "sunk")
    assert over(play(state, MISSES[:6])) == ("first", "sunk")
    assert over(play(opened(shots=6, end="equal-turns"), MISSES[:6], ALL)) == ("second", "sunk")


def test_a_reply_has_the_shots_of_the_ships_afloat_when_the_turn_began() -> None:
    state = play(opened(shots="afloat", end="equal-turns"), ALL[:3], MISSES[:2], ALL[3:])
    assert shots_due(state) == ("second", 2)


def test_a_reply_that_hits_goes_on_where_hits_give_another_salvo() -> None:
    fields: dict[str, Any] = {"shots": "afloat", "again": True, "end": "equal-turns"}
    state = play(opened(**fields), ALL[:3], ALL[3:])
    assert shots_due(state) == ("second", 3)
    state = play(state, [0, 1, 3])
    assert shots_due(state) == ("second", 3)
    assert over(play(state, [4, 5, 6])) == ("first", "sunk")


@pytest.mark.parametrize(
    ("salvos", "result"),
    [
        ([[7, 3], [3, 4], [4, 5], [5, 6]], "first"),
        ([[3, 4], [7, 3], [5, 6], [4, 5]], "second"),
        ([[7, 3], [7, 4], [4, 5], [5, 6]], "draw"),
        ([[0, 1], [3, 4], [10, 5], [5, 6]], "draw"),
    ],
)
def test_after_the_last_turn_most_ships_sunk_wins(salvos: list[list[int]], result: str) -> None:
    state = play(opened(shots=2, turn_limit=2), *salvos)
    assert over(state) == (result, "turn_limit")


# --- Moves and lies ---


def test_after_a_turn_a_ship_may_move_one_step_along_its_axis() -> None:
    state = play(opened(moves=True, reshoot=True), [0])
    assert state.request == MoveRequest("first")
    moved = play(state, Move("Ferry", [3, 1, 2]))
    assert shots_due(moved) == ("second", 1)
    assert report(play(moved, [0])) == CellsReport((), ())
    assert shots_due(play(state, Move(None))) == ("second", 1)


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        (Move("Ferry", [2, 3, 4]), "one cell along its own axis"),
        (Move("Ferry", [5, 6, 7]), "one cell along its own axis"),
        (Move("Ferry", [0, 1, 2]), "one cell along its own axis"),
        (Move("Ferry", [1, 2]), "one cell along its own axis"),
        (Move("Ferry", []), "one cell along its own axis"),
        (Move("Raft", [15, 20]), "cannot move to cells [15, 20]"),
        (Move("Tug", [2]), "clear of the ships afloat"),
        (Move("Barge", [3]), "the fleet has no ship 'Barge'"),
        (Move("x" * 41, [3]), f"the fleet has no ship '{'x' * 40}'"),
    ],
)
def test_an_illegal_move_is_refused_with_the_reason(move: Move, reason: str) -> None:
    state = play(opened(moves=True, reshoot=True), [3])
    with pytest.raises(IllegalActionError) as caught:
        apply(state, move)
    assert reason in str(caught.value)


def test_a_ship_that_was_hit_does_not_move() -> None:
    state = play(opened(moves=True, reshoot=True), [0], Move(None), [4])
    assert state.request == MoveRequest("second")
    with pytest.raises(IllegalActionError, match="'Ferry' was hit and cannot move"):
        apply(state, Move("Ferry", [1, 2, 3]))


def test_a_ship_that_was_sunk_does_not_move_and_is_not_in_the_way() -> None:
    state = play(opened(moves=True, reshoot=True, shots=3), [0, 1, 2], Move(None), [3, 4, 5])
    assert state.request == MoveRequest("second")
    with pytest.raises(IllegalActionError, match="'Ferry' was hit and cannot move"):
        apply(state, Move("Ferry", [1, 2, 3]))
    assert shots_due(play(state, Move("Tug", [2]))) == ("first", 3)
    state = play(opened(moves=True, reshoot=True, shots=3), [3, 4, 7], Move(None), [3, 4, 5])
    with pytest.raises(IllegalActionError, match="'Tug' was hit and cannot move"):
        apply(state, Move("Tug", [8]))


def test_a_seat_answers_for_itself_and_may_lie_as_often_as_the_rules_say() -> None:
    state = play(opened(lies=1, shots=2), [0, 3])
    assert state.request == AnswerRequest("second", (0, 3), (0,), (), 1)
    lied = play(state, Answer([]))
    assert report(lied) == CellsReport((), ())
    again = play(lied, [3, 4], Answer([]), [1, 4])
    assert again.request == AnswerRequest("second", (1, 4), (1,), (), 0)
    with pytest.raises(IllegalActionError, match="1 lies, only 0 were left"):
        apply(again, Answer([]))


def test_answered_hits_are_reported_in_the_order_of_the_shots() -> None:
    state = play(opened(lies=2, shots=3), [1, 3, 0], Answer([0, 3, 1]))
    assert report(state) == CellsReport((1, 3, 0), ())


@pytest.mark.parametrize(
    ("hits", "reason"),
    [
        ([], "a lie about cell 7, which belongs to a ship just sunk"),
        ([7, 3, 4], "2 lies, only 1 were left"),
        ([7, 7], "are not different cells of the salvo"),
        ([7, 9], "are not different cells of the salvo"),
    ],
)
def test_an_illegal_lie_is_refused_with_the_reason(hits: list[int], reason: str) -> None:
    state = play(opened(lies=1, shots=3), [7, 3, 4])
    with pytest.raises(IllegalActionError) as caught:
        apply(state, Answer(hits))
    assert reason in str(caught.value)


# --- Alone ---


def test_alone_the_first_seat_shoots_turn_after_turn() -> None:
    state = alone()
    for cell in MISSES[:4]:
        assert shots_due(state) == ("first", 1)
        state = play(state, [cell])
    assert state.solo


def test_alone_a_salvo_shooter_keeps_its_whole_fleet() -> None:
    state = alone(shots="afloat")
    cells = [*MISSES, *ALL]
    due = []
    while state.request is not None:
        due.append(shots_due(state)[1])
        salvo, cells = cells[: due[-1]], cells[due[-1] :]
        state = play(state, salvo)
    assert due == [3, 3, 3, 3, 3, 3, 2]
    assert over(state) == ("first", "sunk")


def test_alone_a_game_ends_after_ten_times_the_cells() -> None:
    state = alone(reshoot=True, shots=4)
    while state.request is not None:
        state = play(state, MISSES[:4])
    assert over(state) == ("second", "capped")
    assert state.turns[0] == 10 * 20 // 4


def test_alone_the_limit_of_turns_does_not_count() -> None:
    assert shots_due(play(alone(turn_limit=1), [3], [4])) == ("first", 1)


def test_alone_hits_give_no_salvo_more() -> None:
    assert play(alone(again=True), [0]).turns == (2, 0)


# --- States ---


def test_apply_changes_nothing_that_it_was_given() -> None:
    state = opened(shots=2)
    before = msgspec.json.encode(state)
    play(state, [0, 1])
    assert msgspec.json.encode(state) == before


@pytest.mark.parametrize("action", [Shoot([3]), Move(None), Answer([])])
def test_an_action_that_answers_another_request_is_refused(action: Action) -> None:
    with pytest.raises(IllegalActionError, match=f"{type(action).__name__} does not answer Place"):
        apply(begin(rules()), action)


def test_each_seat_is_across_from_the_other() -> None:
    assert (other("first"), other("second")) == ("second", "first")
