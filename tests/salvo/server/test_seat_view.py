"""What the person who plays a game sees of it, after each action."""

from typing import Any

import pytest
from msgspec.structs import asdict, replace

from arena.player import Fault
from arena.protocol import Layout, SalvoAnswer, ShipMove, Shots, encode
from arena.records import Fixture, Termination
from arena.resumed_game import from_line
from arena.rules import Rules, Seat, preset
from arena.scorebook import Scorebook
from salvo.server.database.human_games import HumanGame, State
from salvo.server.web.seat_view import View, random_layout, view_of

RULES = preset("ramesh-5")
OWN = encode(Layout("", {"Ship of 4": (0, 1, 2, 3), "Ship of 2": (14, 15)}))
THEIRS = encode(Layout("", {"Ship of 4": (4, 5, 6, 7), "Ship of 2": (8, 9)}))
AFLOAT = "Yours afloat: Ship of 4 4, Ship of 2 2."
ENEMY = "Theirs: Ship of 4 4, Ship of 2 2; sinkings are not reported."
WATER = 16 * "w"
PLACED = "sssswwwwwwwwwwss"


def shoots(*cells: int) -> bytes:
    return encode(Shots("", cells))


def game(*lines: bytes, seat: Seat = "first", bot: str = "bob@1", **more: object) -> HumanGame:
    seats = ("you", bot or None) if seat == "first" else (bot, "you")
    known: dict[str, Any] = {"state": "open", "reason": "", "game": None}
    return HumanGame(
        id="id",
        bot=bot,
        seat=seat,
        fixture=Fixture("id", *seats, 0, (5, 6)),  # type: ignore[arg-type]
        actions=lines,
        number=7,
        **known | more,
    )


def changes(lines: tuple[bytes, ...], rules: Rules = RULES, **more: Any) -> dict[str, object]:  # noqa: ANN401 - fields
    """Return in what the view of a game differs from one in which nothing happened."""
    nothing = View("id", 7, "open", "bob@1", "", WATER, [], [], None, [], [], "")
    seen = asdict(view_of(game(*lines, **more), rules))
    return {name: value for name, value in seen.items() if value != asdict(nothing)[name]}


SHOOT = {"kind": "shoot", "shots": 2}
BEGUN = (OWN, THEIRS)


@pytest.mark.parametrize(
    ("lines", "seen"),
    [
        ((), {"asked": {"kind": "place"}, "fleets": ["Turn 0.", ENEMY]}),
        ((OWN,), {"own": PLACED, "fleets": ["Turn 0.", AFLOAT, ENEMY]}),
        (BEGUN, {"own": PLACED, "asked": SHOOT, "fleets": ["Turn 1.", AFLOAT, ENEMY]}),
        (
            (*BEGUN, shoots(4, 12)),
            {
                "own": PLACED,
                "theirs": "wwwwhwwwwwwwmwww",
                "fired": [4, 12],
                "told": ["You shoot B1 D1: 1 hit, at B1."],
                "fleets": ["Turn 1.", AFLOAT, ENEMY],
            },
        ),
        (
            (*BEGUN, shoots(4, 12), shoots(9, 0)),
            {
                "own": "hssswwwwwmwwwwss",
                "theirs": "wwwwhwwwwwwwmwww",
                "fired": [4, 12],
                "fresh": [0, 9],
                "asked": SHOOT,
                "told": [
                    "You shoot B1 D1: 1 hit, at B1.",
                    "They shoot C2 A1: A1 hits your Ship of 4, 1 miss.",
                ],
                "fleets": ["Turn 2.", AFLOAT, ENEMY],
            },
        ),
    ],
)
def test_person_sees_the_own_side_and_what_the_other_was_heard_to_be(
    lines: tuple[bytes, ...], seen: dict[str, object]
) -> None:
    assert changes(lines) == seen


def test_bot_in_the_first_seat_begins() -> None:
    told = ["They shoot B1 D1: all miss."]
    assert changes((THEIRS, OWN, shoots(4, 12)), seat="second") == {
        "own": "ssssmwwwwwwwmwss",
        "fresh": [4, 12],
        "asked": SHOOT,
        "told": told,
        "fleets": ["Turn 1.", AFLOAT, ENEMY],
    }
    assert "asked" not in changes((THEIRS, OWN), seat="second")


def test_six_sentences_are_told_the_newest_last() -> None:
    salvos = [shoots(2 * number, 2 * number + 1) for number in (5, 2, 6, 3, 7, 4, 4)]
    told = changes((*BEGUN, *salvos))["told"]
    assert told == [
        "They shoot B1 B2: all miss.",
        "You shoot D1 D2: all miss.",
        "They shoot B3 B4: all miss.",
        "You shoot D3 D4: all miss.",
        "They shoot C1 C2: all miss.",
        "You shoot C1 C2: 2 hits, at C1 and C2.",
    ]


def test_ship_that_may_move_is_shown_with_where_to() -> None:
    moving = replace(RULES, moves=True, reshoot=True, shots=1)
    moves = [{"ship": "Ship of 2", "way": "left", "cells": (13, 14)}]
    shot = (*BEGUN, shoots(4))
    assert changes(shot, moving)["asked"] == {
        "kind": "move",
        "moves": moves,
        "ships": {"Ship of 2": [14, 15]},
    }
    moved = (*shot, encode(ShipMove("", "Ship of 2", (13, 14))))
    assert changes(moved, moving)["own"] == "sssswwwwwwwwwssw"


def test_cells_to_answer_for_are_shown_and_what_is_not_answered_yet() -> None:
    lies = replace(RULES, lies=1, shots=1, sinkings="unnamed")
    lines = (*BEGUN, shoots(4), encode(SalvoAnswer("", ())), shoots(0))
    assert changes(lines[:4], lies)["theirs"] == "wwwwmwwwwwwwwwww"
    asked = {"kind": "answer", "cells": (0,), "hits": (0,), "lies": 1}
    assert changes(lines, lies)["asked"] == asked


@pytest.mark.parametrize(
    ("fleet_known", "theirs"), [(True, "wwwwhssssswwmwww"), (False, "wwwwhwwwwwwwmwww")]
)
def test_ships_of_the_other_side_are_shown_once_it_is_over_where_they_were_known(
    fleet_known: bool,  # noqa: FBT001 - a case
    theirs: str,
) -> None:
    book = Scorebook(game().fixture, RULES)
    lines = (*BEGUN, shoots(4, 12))
    for line in lines:
        assert book.state.request is not None
        book.play(from_line(line, book.state.request), 0.0)
    fault = Fault(Termination.TIMEOUT, "too slow")
    won = book.record("second", fault)
    lost = replace(won, result="second", forfeit=None, termination=Termination.SUNK)
    drawn = replace(lost, result="draw", termination=Termination.TURN_LIMIT)
    outcomes = []
    for record in (won, lost, drawn):
        rules = replace(RULES, fleet_known=fleet_known)
        seen = changes(lines, rules, state="over", game=record)
        assert seen["theirs"] == theirs
        assert "asked" not in seen
        outcomes.append(seen["outcome"])
    assert outcomes == [
        "You win: they forfeit (timeout: too slow).",
        "You lose: your whole fleet is sunk.",
        "A draw: the turns are used up; they sank 0 ships.",
    ]


def test_game_that_broke_says_why() -> None:
    state: State = "void"
    seen = changes(BEGUN, state=state, reason="it broke")
    assert (seen["state"], seen["outcome"]) == ("void", "it broke")
    assert "asked" not in seen


def test_who_practises_alone_shoots_at_a_layout_that_is_drawn() -> None:
    assert changes((shoots(4, 5),), bot="") == {
        "bot": "",
        "theirs": "wwwwmmwwwwwwwwww",
        "fired": [4, 5],
        "asked": SHOOT,
        "told": ["You shoot B1 B2: all miss."],
        "fleets": ["Turn 2.", ENEMY],
    }


def test_layout_that_is_drawn_has_every_ship_where_it_may_lie() -> None:
    ships = random_layout(RULES)
    assert {name: len(cells) for name, cells in ships.items()} == {"Ship of 4": 4, "Ship of 2": 2}
    cells = [cell for cells in ships.values() for cell in cells]
    assert len(set(cells)) == 6
    assert all(0 <= cell < 16 for cell in cells)
