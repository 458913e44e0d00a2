"""A person at a terminal: whatever is typed, the game is legal and the boards tell the truth."""

import re
from collections import deque
from collections.abc import Callable, Iterable
from random import Random
from types import SimpleNamespace

import pytest

from arena.conformance.sparring import Sparring
from arena.player import Fault, News
from arena.player.person import Chart, Person
from arena.player.person.dialogue import Dialogue
from arena.player.person.entry import choose_hits, choose_layout, choose_move
from arena.protocol import End, Limits
from arena.protocol import Game as Start
from arena.records import AnswerStep, Fixture, Game, Settings, Termination
from arena.referee import play_game
from arena.replay import replay
from arena.rules import (
    PRESETS,
    AnswerRequest,
    CellsReport,
    Layout,
    Move,
    Place,
    PlaceRequest,
    Rules,
    Seat,
    Ship,
    Shoot,
    ShootRequest,
    cell_name,
    mask_of,
    preset,
    view,
)

TYPE = Callable[[str, Chart | None], str]
"""Types an answer to a prompt, looking at the boards shown last."""

ROW = Rules(name="row", rows=1, columns=5, fleet=(Ship("Boat", 2),))
FREIGHT = Rules(
    name="freight", rows=4, columns=4, fleet=(Ship("Long", 3), Ship("Dot", 1)), touching="never"
)


class Desk:
    """A terminal whose person types as ``type_`` says."""

    def __init__(self, type_: TYPE) -> None:
        self.type = type_
        self.said: list[str] = []
        self.prompts: list[str] = []
        self.deadlines: list[float | None] = []
        self.chart: Chart | None = None
        self.placed: list[Layout] = []

    def say(self, text: str) -> None:
        self.said.append(text)

    def show(self, chart: Chart) -> None:
        self.chart = chart
        self.placed.append(chart.placed)

    def read(self, prompt: str, deadline: float | None) -> str:
        self.prompts.append(prompt)
        self.deadlines.append(deadline)
        return self.type(prompt, self.chart)


def typing(lines: Iterable[str]) -> TYPE:
    """Return one who types these lines and then leaves."""
    left = deque(lines)

    def type_(_prompt: str, _chart: Chart | None) -> str:
        if not left:
            raise EOFError
        return left.popleft()

    return type_


def at_random(rules: Rules, seed: int) -> TYPE:
    """Return one who types mostly what makes sense, and sometimes what does not."""
    random = Random(seed)
    nonsense = [
        "?",
        "",
        "u",
        "r",
        "7",
        "Z9",
        "A1",
        "a1 b2",
        "99",
        "A1, A2,A3",
        "b1 down",
        "\x00",
        "é",
    ]

    def type_(prompt: str, chart: Chart | None) -> str:
        if random.random() < 0.3:
            return random.choice(nonsense)
        if "(r for" in prompt:
            return "r"
        if "shot" not in prompt or chart is None:
            return ""
        due = int(found[0]) if (found := re.findall(r"Your (\d+)", prompt)) else 1
        cells = [cell for cell in range(rules.cells) if rules.reshoot or cell not in chart.marks]
        return " ".join(cell_name(cell, rules.columns) for cell in random.sample(cells, due))

    return type_


def play(
    rules: Rules, desk: Desk, *, seat: Seat = "first", seed: int = 1, clock_s: float | None = None
) -> Game:
    names = ("person", "bot") if seat == "first" else ("bot", "person")
    players = {"person": Person(rules, desk, clock_s), "bot": Sparring(rules)}
    return play_game(Fixture("0", *names, 0, (seed, seed + 1)), rules, Settings(), players)


@pytest.mark.parametrize("seat", ["first", "second"])
@pytest.mark.parametrize("name", PRESETS)
def test_a_game_by_any_preset_is_legal_and_the_boards_are_true(name: str, seat: Seat) -> None:
    rules = preset(name)
    for seed in range(3):
        desk = Desk(at_random(rules, seed))
        game = play(rules, desk, seat=seat, seed=seed)
        assert game.forfeit is None
        *_, last = replay(game, rules)
        assert desk.chart is not None
        own = last.waters.of(seat)
        theirs = last.waters.of("second" if seat == "first" else "first")
        assert own is not None
        assert theirs is not None
        assert desk.chart.own is not None
        assert desk.chart.own.hit == own.hit
        assert desk.chart.own.ships == own.ships
        assert desk.chart.own.shot == own.shot
        assert set(desk.chart.revealed) == (set(theirs.ships) if rules.fleet_known else set())
        if rules.sinkings != "silent":
            assert desk.chart.sunk_count == theirs.sunk.bit_count()
        if not rules.moves and not rules.lies and rules.told == "cells":
            hits = {cell for cell, mark in desk.chart.marks.items() if mark == "hit"}
            truly = sum(theirs.ships) & theirs.shot
            assert sum(1 << cell for cell in hits) == truly


def first_shot(rules: Rules, *lines: str) -> Desk:
    """Return what was said to one who placed a fleet at random and typed these lines."""
    desk = Desk(typing(["r", "", *lines]))
    play(rules, desk)
    return desk


@pytest.mark.parametrize(
    ("line", "reply"),
    [
        ("K1", "K1 is not on the board: rows A to J, columns 1 to 10."),
        ("A11", "A11 is not on the board: rows A to J, columns 1 to 10."),
        ("7B", "'7B' is not a cell: type a letter and a number, such as A2."),
        ("A0", "A0 is not on the board: rows A to J, columns 1 to 10."),
        ("A1 B2", "One shot is due, and that would make 2."),
        ("u", "No cell is chosen yet."),
        ("", "Type the cells to shoot at"),
    ],
)
def test_a_mistake_is_explained_and_asked_again(line: str, reply: str) -> None:
    desk = first_shot(preset("classic"), line)
    assert desk.said[-1].startswith(reply)
    assert desk.prompts[-2:] == ["Your shot: ", "Your shot: "]


def test_a_cell_that_was_shot_before_is_asked_again() -> None:
    desk = first_shot(preset("classic"), "B7", "b7")
    assert desk.said[-1] == "B7 was shot before."


def test_a_salvo_is_gathered_taken_back_and_sent_when_asked() -> None:
    desk = first_shot(preset("salvo"), "b7,c3; D4", "b7", "j10 j9 j8", "j10 a1", "U", "a2", "")
    prompts = [prompt for prompt in desk.prompts if "Enter takes" not in prompt]
    assert prompts[1:8] == [
        "Your 5 shots: ",
        "B7 C3 D4, and 2 more: ",
        "B7 C3 D4, and 2 more: ",
        "B7 C3 D4, and 2 more: ",
        "Enter fires B7 C3 D4 J10 A1, u takes the last back: ",
        "B7 C3 D4 J10, and 1 more: ",
        "Enter fires B7 C3 D4 J10 A2, u takes the last back: ",
    ]
    assert "B7 would be shot twice in one salvo." in desk.said
    assert "5 shots are due, and that would make 6." in desk.said
    assert any(said.startswith("You shoot B7 C3 D4 J10 A2: ") for said in desk.said)


def test_a_fleet_is_placed_by_hand_with_second_thoughts() -> None:
    lines = ["A1 right", "A2", "b1", "u", "a1 a2", "D4 D2", "c4", "b4", ""]
    desk = Desk(typing(lines))
    game = play(FREIGHT, desk)
    assert game.layouts["first"] == {"Long": [13, 14, 15], "Dot": [7]}
    assert desk.placed[:4] == [(0b111,), (0b111 << 13,), (0b111 << 13, 1 << 7), ()]
    assert desk.said[1:6] == [
        "The Dot lies on another ship there.",
        "The Dot touches another ship there.",
        "A1 to A2 is 2 cells; the Long has 3.",
        "The Dot touches another ship there.",
        "Turn 1.\nYours afloat: Long 3, Dot 1.\nTheirs afloat: Long 3, Dot 1.",
    ]
    assert desk.prompts[:9] == [
        *["Long, 3 cells (r for a fleet at random): ", *["Dot, 1 cell: "] * 3],
        *["Long, 3 cells (r for a fleet at random): "] * 2,
        *["Dot, 1 cell: "] * 2,
        "Enter takes this fleet, r draws another, u takes a ship back: ",
    ]


@pytest.mark.parametrize(
    ("lines", "cells"),
    [
        (["a1 right", "d4"], [(0, 1, 2), (15,)]),
        (["A1 a", "d4 d4"], [(0, 1, 2), (15,)]),
        (["b2 across", "d1 right"], [(5, 6, 7), (12,)]),
        (["a1 down", "A4"], [(0, 4, 8), (3,)]),
        (["b4 d", "a1 down"], [(7, 11, 15), (0,)]),
        (["a1, a3", "d4"], [(0, 1, 2), (15,)]),
        (["C1 A1", "d4"], [(0, 4, 8), (15,)]),
        (["a3 a1 a2", "c1"], [(0, 1, 2), (8,)]),
        (["a1 a3", "d4", "u", "c1"], [(0, 1, 2), (8,)]),
        (["a1 a3", "d4", "undo", "u", "d1 d3", "a1"], [(12, 13, 14), (0,)]),
    ],
)
def test_ship_is_placed_by_its_ends_its_cells_or_an_end_and_a_direction(
    lines: list[str], cells: list[tuple[int, ...]]
) -> None:
    desk = Desk(typing([*lines, ""]))
    layout = choose_layout(Chart(FREIGHT), Dialogue(desk, ""), Random(1))
    assert layout == tuple(map(mask_of, cells))
    assert desk.said == []


def test_what_a_person_is_told_and_asked_in_a_game_is_this() -> None:
    rules = Rules(name="row", rows=1, columns=5, fleet=(Ship("Boat", 2),), again=True)
    desk = Desk(typing(["A1 A2", "", "A4", "A3", "A5"]))
    person = Person(rules, desk)
    person.begin(Start(view(rules), "first", 7, solo=False, limits=Limits(1, 10, 5)))
    shoot = ShootRequest("first", 1)
    assert person.ask(PlaceRequest("first"), News()).action == Place({"Boat": [0, 1]})
    assert person.ask(shoot, News()).action == Shoot((3,))
    assert person.ask(shoot, News(CellsReport((3,), ()))).action == Shoot((2,))
    news = News(CellsReport((), ()), ((0,), (4,)))
    assert person.ask(shoot, news).action == Shoot((4,))
    theirs = {"Boat": (3, 4)}
    person.end(End("won", Termination.SUNK, "", CellsReport((4,), ("Boat",)), (), theirs))
    afloat = "Yours afloat: Boat 2.\nTheirs afloat: Boat 2."
    assert desk.said[0].endswith("q leaves the game.\nYou shoot first. Place your fleet.")
    assert desk.said[1:] == [
        f"Turn 1.\n{afloat}",
        "You shoot A4: a hit.",
        f"Turn 1.\n{afloat}",
        "You shoot A3: a miss.",
        "They shoot A1: it hits your Boat.",
        "They shoot A5: a miss.",
        f"Turn 2.\n{afloat}",
        "You shoot A5: a hit. You sink their Boat.",
        "You win: you sank the whole fleet.",
    ]
    assert desk.chart is not None
    assert desk.chart.revealed == (0b11000,)
    assert desk.chart.marks == {2: "miss", 3: "hit", 4: "hit"}


def test_boards_are_shown_at_the_end_unless_the_game_ended_before_there_were_any() -> None:
    desk = Desk(typing(["A1 A2", ""]))
    person = Person(ROW, desk)
    left = End("won", Termination.EXITED, "it left", None, (), None)
    person.begin(Start(view(ROW), "first", 7, solo=False, limits=Limits(1, 10, 5)))
    person.end(left)
    assert desk.chart is None
    person.begin(Start(view(ROW), "first", 8, solo=False, limits=Limits(1, 10, 5)))
    person.ask(PlaceRequest("first"), News())
    shown = len(desk.placed)
    person.end(left)
    assert len(desk.placed) == shown + 1


def test_one_who_shoots_second_begins_the_first_turn_when_shot_at() -> None:
    desk = Desk(typing(["A1 A2", "", "A4", "A5"]))
    person = Person(ROW, desk)
    person.begin(Start(view(ROW), "second", 7, solo=False, limits=Limits(1, 10, 5)))
    assert desk.said[0].endswith("\nThey shoot first. Place your fleet.")
    person.ask(PlaceRequest("second"), News())
    person.ask(ShootRequest("second", 1), News(None, ((4,),)))
    person.ask(ShootRequest("second", 1), News(CellsReport((3,), ()), ((0,),)))
    turns = [said.partition("\n")[0] for said in desk.said if said.startswith("Turn")]
    assert turns == ["Turn 1.", "Turn 2."]


@pytest.mark.parametrize(
    ("line", "reply"),
    [
        ("A3 right", "The Long leaves the board there."),
        ("C1 down", "The Long leaves the board there."),
        ("A1 B2", "The Long must lie in a line there."),
        ("A1 B1 C2", "The Long must lie in a line there."),
        ("E1 right", "E1 is not on the board: rows A to D, columns 1 to 4."),
        ("nowhere", "'nowhere' does not place a ship."),
        ("", "Type the first and the last cell"),
        ("u", "No ship is placed yet."),
        ("q", None),
    ],
)
def test_a_ship_that_cannot_lie_there_is_asked_again(line: str, reply: str | None) -> None:
    desk = Desk(typing([line]))
    play(FREIGHT, desk)
    if reply is not None:
        assert desk.said[-1].startswith(reply)
        assert desk.prompts[-1].startswith("Long, 3 cells")


def test_a_fleet_may_be_named_cell_by_cell() -> None:
    game = play(FREIGHT, Desk(typing(["c2 b2 d2", "a4", ""])))
    assert game.layouts["first"] == {"Long": [5, 9, 13], "Dot": [3]}


def test_a_corner_that_leaves_no_room_is_reported() -> None:
    rules = Rules(name="tight", rows=1, columns=5, fleet=(Ship("A", 2), Ship("B", 2)))
    desk = Desk(typing(["A2 A3", "A4 A5", "u", "A1 A2", "A4 A5", "r", "what", ""]))
    rules = Rules(name="tight", rows=1, columns=5, fleet=rules.fleet, touching="never")
    game = play(rules, desk)
    assert "There is no room left for the B: u takes a ship back." in desk.said
    assert "All ships are placed: press Enter, or type r or u." in desk.said
    assert len(game.layouts["first"]) == 2


def test_help_shows_the_rules_and_what_may_be_typed() -> None:
    desk = first_shot(preset("afp"), "?")
    assert "After 75 turns each, who sank more ships wins." in desk.said[-2]
    assert desk.said[-1].startswith("Type the cells to shoot at")


@pytest.mark.parametrize("line", ["q", "QUIT", " q "])
def test_to_leave_is_a_forfeit(line: str) -> None:
    game = play(preset("classic"), Desk(typing(["r", "", line, "A1"])))
    assert (game.forfeit, game.termination) == ("first", Termination.EXITED)
    assert game.reason == "left the game"


def test_to_leave_with_something_at_stake_is_asked_about() -> None:
    desk = Desk(typing(["q", "n", "q", "Y"]))
    players = {"a": Person(ROW, desk, None, "Sure?"), "b": Sparring(ROW)}
    game = play_game(Fixture("0", "a", "b", 0, (1, 2)), ROW, Settings(), players)
    assert game.termination is Termination.EXITED
    assert [prompt for prompt in desk.prompts if "Sure" in prompt] == ["Sure? (y/n) "] * 2


def test_without_a_clock_there_is_no_deadline() -> None:
    assert set(first_shot(ROW, "A1").deadlines) == {None}


def test_the_clock_runs_over_all_answers_and_ends_the_game() -> None:
    lines = deque(["r", "", "?"])

    def type_(_prompt: str, _chart: Chart | None) -> str:
        if not lines:
            raise TimeoutError
        return lines.popleft()

    desk = Desk(type_)
    game = play(ROW, desk, clock_s=90)
    assert (game.forfeit, game.termination) == ("first", Termination.TIMEOUT)
    assert game.reason == "did not answer in time (90 s for a game)"
    assert desk.prompts[0] == "[1:30] Boat, 2 cells (r for a fleet at random): "


def test_clock_counts_down_while_the_person_types(monkeypatch: pytest.MonkeyPatch) -> None:
    now_s = [1000.0]
    clock = SimpleNamespace(monotonic=lambda: now_s[0])
    monkeypatch.setattr("arena.player.person.dialogue.time", clock)

    def type_(_prompt: str, _chart: Chart | None) -> str:
        now_s[0] += 61.5
        return " words  "

    desk = Desk(type_)
    dialogue = Dialogue(desk, "guide", 600 + 150)
    for _ in range(14):
        assert dialogue.ask("? ", "hint") == "words"
    told = [f"[{left // 60}:{left % 60:02}] ? " for left in (750, 688, 627, 565, 504, 442, 381)]
    assert desk.prompts[:7] == told
    assert desk.prompts[2] == "[10:27] ? "
    assert desk.prompts[-1] == "[0:00] ? "
    assert desk.deadlines == [1750.0] * 13 + [now_s[0] - 61.5]


@pytest.mark.parametrize("word", ["?", "help", "H"])
def test_help_is_the_guide_and_what_may_be_answered(word: str) -> None:
    desk = Desk(typing([word, "an answer"]))
    assert Dialogue(desk, "guide").ask("? ", "hint") == "an answer"
    assert desk.said == ["guide", "hint"]


@pytest.mark.parametrize(
    ("typed", "prompts"),
    [
        (["exit", "n", "QUIT", ""], ["? ", "Sure? (y/n) ", "? ", "Sure? (y/n) ", "? "]),
        (["q", "yes"], ["? ", "Sure? (y/n) "]),
        (["q", "Y"], ["? ", "Sure? (y/n) "]),
    ],
)
def test_who_leaves_with_something_at_stake_says_so_twice(
    typed: list[str], prompts: list[str]
) -> None:
    desk = Desk(typing(typed))
    with pytest.raises(Fault, match="left the game"):
        Dialogue(desk, "guide", None, "Sure?").ask("? ", "hint")
    assert desk.prompts == prompts


def lying(*lines: str) -> tuple[Game, Desk]:
    """Return a game on a row of five where the person, shot at first, types these answers."""
    rules = Rules(
        name="liars", rows=1, columns=5, fleet=(Ship("Boat", 2),), lies=1, sinkings="unnamed"
    )
    desk = Desk(typing(["A1 A2", "", *lines]))
    return play(rules, desk, seat="second"), desk


def test_a_lie_is_accepted_and_counted() -> None:
    _, desk = lying()
    [shot] = re.findall(r"They shoot (A\d)", " ".join(desk.said))
    another = "A1" if shot == "A5" else "A5"
    game, desk = lying(another, f"{shot} {shot}", "A1")
    assert f"{another} was not shot at." in desk.said
    answer, *_ = [step for step in game.steps if isinstance(step, AnswerStep)]
    assert answer.seat == "second"
    assert bool(answer.hits) is not (shot in {"A1", "A2"})
    # The lie is used up: the next salvo is reported truthfully without a question.
    assert sum("for the truth" in prompt for prompt in desk.prompts) == 2


def test_moves_are_listed_and_chosen_by_number() -> None:
    desk = Desk(typing(["0", "8", "x", "3", "", "1", "7"]))
    fleet = (Ship("A", 2), Ship("B", 2), Ship("C", 2), Ship("Dot", 1))
    rules = Rules(name="movers", rows=4, columns=10, fleet=fleet, moves=True, reshoot=True)
    chart = Chart(rules)
    chart.settle(tuple(map(mask_of, [(0, 1), (8, 9), (14, 24), (37,)])))
    dialogue = Dialogue(desk, "guide")
    assert choose_move(chart, dialogue) == Move("C", (24, 34))
    assert desk.said == [
        "You may move one undamaged ship by a cell:",
        "  A: 1 right\n  B: 2 left\n  C: 3 down, 4 up\n  Dot: 5 right, 6 left, 7 up",
        "'0' is not a move: type a number from 1 to 7.",
        "'8' is not a move: type a number from 1 to 7.",
        "'x' is not a move: type a number from 1 to 7.",
    ]
    assert desk.chart is chart
    assert choose_move(chart, dialogue) == Move(None)
    assert choose_move(chart, dialogue) == Move("A", (1, 2))
    assert choose_move(chart, dialogue) == Move("Dot", (27,))


@pytest.mark.parametrize(
    ("lies", "typed", "sinkers", "hits", "said"),
    [
        (1, [""], (), (1,), []),
        (1, ["A1"], (), (0, 1), []),
        (1, ["a2"], (), (), []),
        (2, ["a2,A1"], (), (0,), []),
        (1, ["a1 a2", "A2"], (), (), ["That makes 2 lies; one is left."]),
        (2, ["a1 a2 a3", "A1"], (), (0, 1), ["That makes 3 lies; 2 are left."]),
        (9, ["a4", "A1"], (), (0, 1), ["A4 was not shot at."]),
        (9, ["a2", ""], (1,), (1,), ["A2 sinks a ship: you may not lie about that."]),
        (0, [], (), (1,), []),
        (9, [], (0, 1, 2), (1,), []),
    ],
)
def test_answer_is_the_truth_but_for_lies_that_are_allowed(
    lies: int, typed: list[str], sinkers: tuple[int, ...], hits: tuple[int, ...], said: list[str]
) -> None:
    desk = Desk(typing(typed))
    request = AnswerRequest("first", (0, 1, 2), (1,), (), lies)
    assert choose_hits(Chart(ROW), Dialogue(desk, ""), request, set(sinkers)) == hits
    assert desk.said[:1] == said
    times = "once" if lies == 1 else f"{lies} times"
    asked = f"Enter for the truth, or cells to lie about ({times} more): "
    assert desk.prompts == [asked] * (len(desk.said) + bool(typed))


def test_what_happened_is_shown_in_plain_words() -> None:
    desk = Desk(at_random(ROW, 5))
    game = play(ROW, desk, seed=4)
    told = " ".join(desk.said)
    assert re.search(r"You shoot A\d: a (hit|miss)\.", told)
    assert re.search(r"They shoot A\d: (a miss|it hits your Boat)\.", told)
    won = game.result == "first"
    ending = "You win: you sank the whole fleet." if won else "You lose: your whole fleet is sunk."
    assert desk.said[-1] == ending


@pytest.mark.parametrize("answers", [0, 3])
def test_a_bot_that_leaves_is_reported(answers: int) -> None:
    desk = Desk(at_random(ROW, 1))
    players = {"a": Person(ROW, desk), "b": Sparring(ROW, answers)}
    game = play_game(Fixture("0", "a", "b", 0, (1, 2)), ROW, Settings(), players)
    if game.forfeit == "second":
        assert desk.said[-1].startswith("You win: they forfeit (exited: ")


def test_a_fault_of_a_person_is_an_ordinary_one() -> None:
    person = Person(ROW, Desk(typing([])))
    person.start()
    person.stop(Fault(Termination.EXITED, "left"))
