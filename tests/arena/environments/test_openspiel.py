"""``arena.rules`` and OpenSpiel's battleship agree on random games of random boards and fleets."""

from random import Random
from typing import Any

import pytest

from arena.environments.fleet_placement import Placing
from arena.errors import RulesError
from arena.rules import (
    CellsReport,
    Place,
    Rules,
    Seat,
    Ship,
    Shoot,
    ShootRequest,
    State,
    apply,
    begin,
    cells_of,
    name_layout,
    other,
)

# Its wheels come later than those of a new Python.
pyspiel = pytest.importorskip("pyspiel")

GAMES = 400
SEATS: tuple[Seat, Seat] = ("first", "second")


def draw_rules(random: Random) -> Rules:
    while True:
        lengths = [random.randint(2, 4) for _ in range(random.randint(1, 3))]
        fleet = tuple(Ship(f"ship {number}", length) for number, length in enumerate(lengths))
        rows, columns = random.randint(2, 6), random.randint(2, 6)
        try:
            return Rules(name="random", rows=rows, columns=columns, fleet=fleet)
        except RulesError:
            continue


def load(rules: Rules) -> Any:  # noqa: ANN401 - it has no types
    lengths = ";".join(str(ship.length) for ship in rules.fleet)
    values = ";".join("1" for _ in rules.fleet)
    game = pyspiel.load_game(
        f"battleship(board_width={rules.columns},board_height={rules.rows},"
        f"ship_sizes=[{lengths}],ship_values=[{values}],num_shots={rules.cells},"
        "allow_repeated_shots=False)"
    )
    return game.new_initial_state()


def outcomes(state: State, seat: Seat) -> str:
    """Return what a seat knows of the other's board as OpenSpiel draws it."""
    waters = state.waters.of(other(seat))
    assert waters is not None
    occupied = sum(waters.ships)
    return "".join(
        " " if not waters.shot >> cell & 1 else "#" if occupied >> cell & 1 else "@"
        for cell in range(state.rules.cells)
    )


def drawn(text: str) -> str:
    """Return the cells of the second board that OpenSpiel draws for a player."""
    board = text.partition("shot outcomes:")[2]
    return "".join(line[1:-1] for line in board.splitlines() if line.startswith("|"))


def place_both(rules: Rules, theirs: Any, random: Random) -> State:  # noqa: ANN401 - it has no types
    """Place both fleets at random, ship by ship in turns, and check which places are legal."""
    placings = [Placing(rules), Placing(rules)]
    for _ in rules.fleet:
        for placing in placings:
            legal = [action - rules.cells for action in theirs.legal_actions()]
            assert sorted(placing.legal()) == legal
            action = random.choice(legal)
            placing.lay(action)
            theirs.apply_action(action + rules.cells)
    state = begin(rules)
    for placing in placings:
        state = apply(state, Place(name_layout(rules, placing.layout)))
    return state


def test_agrees_with_openspiel() -> None:
    random = Random(2026)
    for _ in range(GAMES):
        rules = draw_rules(random)
        theirs = load(rules)
        state = place_both(rules, theirs, random)
        while isinstance(request := state.request, ShootRequest):
            assert not theirs.is_terminal()
            assert SEATS[theirs.current_player()] == request.seat
            target = state.waters.of(other(request.seat))
            assert target is not None
            shot = cells_of(target.shot)
            legal = [cell for cell in range(rules.cells) if cell not in shot]
            assert theirs.legal_actions() == legal
            cell = random.choice(legal)
            state = apply(state, Shoot((cell,)))
            theirs.apply_action(cell)
            assert state.salvo is not None
            assert isinstance(state.salvo.report, CellsReport)
            player = SEATS.index(request.seat)
            assert drawn(theirs.observation_string(player)) == outcomes(state, request.seat)
        assert theirs.is_terminal()
        winner = SEATS[0] if theirs.returns()[0] > theirs.returns()[1] else SEATS[1]
        assert state.result == winner
