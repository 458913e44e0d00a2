"""Random games by random rules: ``arena.rules`` and the naive game agree on every step."""

import runpy
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from hypothesis import HealthCheck, assume, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from arena.errors import IllegalActionError, RulesError
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
    Rules,
    Ship,
    Shoot,
    ShootRequest,
    apply,
    begin,
    begin_solo,
    check_layout,
    draw,
    name_layout,
)

naive = runpy.run_path(str(Path(__file__).parent / "naive.py"))

SEEDS = st.integers(0, 2**32)
NUMBERS = st.lists(st.integers(-2, 27), max_size=6)
KINDS: dict[type, str] = {
    PlaceRequest: "place",
    ShootRequest: "shoot",
    MoveRequest: "move",
    AnswerRequest: "answer",
}


@st.composite
def rule_sets(draw_from: st.DrawFn) -> Rules:
    """Draw a small rule set from the whole family, classic and salvo among them."""
    pick = draw_from
    lengths = pick(st.lists(st.integers(1, 3), min_size=1, max_size=4))
    fields: dict[str, Any] = {
        "shots": pick(st.sampled_from(["afloat", "by-ship", 1, 1, 2, 3])),
        "again": pick(st.booleans()),
        "told": pick(st.sampled_from(["cells", "cells", "count", "count-by-ship"])),
        "sinkings": pick(st.sampled_from(["named", "unnamed", "silent"])),
        "touching": pick(st.sampled_from(["allowed", "allowed", "corners", "never"])),
        "moves": pick(st.booleans()),
        "reshoot": pick(st.booleans()),
        "turn_limit": pick(st.none() | st.integers(1, 9)),
        "end": pick(st.sampled_from(["at-once", "equal-turns"])),
    }
    fields["reshoot"] = fields["reshoot"] or fields["moves"]
    lied = fields["told"] == "cells" and fields["sinkings"] != "silent"
    fields["lies"] = pick(st.sampled_from([0, 0, 1, 3])) if lied else 0
    named = fields["told"] == "cells" and not fields["lies"]
    fields["hits_named"] = pick(st.booleans()) and named
    fields["sunk_cells"] = pick(st.booleans()) and fields["sinkings"] == "named"
    plain = pick(st.integers(0, 3)) == 0
    guns = st.integers(1, 3)
    try:
        return Rules(
            name="drawn",
            rows=pick(st.integers(1, 5)),
            columns=pick(st.integers(1, 5)),
            fleet=tuple(Ship(f"{n}", length, pick(guns)) for n, length in enumerate(lengths)),
            **({"shots": fields["shots"]} if plain else fields),
        )
    except RulesError:
        assume(False)  # noqa: FBT003 - it has no other form
        raise


class Game(RuleBasedStateMachine):
    @initialize(rules=rule_sets(), solo=st.booleans(), seed=SEEDS)
    def begin(self, rules: Rules, solo: bool, seed: int) -> None:  # noqa: FBT001 - drawn by name
        self.rules = rules
        if solo:
            layout = draw(rules, Random(seed))
            self.state = begin_solo(rules, layout)
            self.naive = naive["NaiveGame"](rules, name_layout(rules, layout))
        else:
            self.state = begin(rules)
            self.naive = naive["NaiveGame"](rules)

    def act(self, action: Action, *arguments: object) -> None:
        """Do the same in both games; either both allow it or neither."""
        before = msgspec.json.encode(self.state.waters)
        kind = self.naive.due[0]
        try:
            getattr(self.naive, kind)(*arguments)
        except naive["Illegal"]:
            try:
                apply(self.state, action)
            except IllegalActionError as error:
                reason = str(error)
            else:
                raise AssertionError(f"allowed: {action}")
            assert reason.isprintable()
        else:
            state = apply(self.state, action)
            assert msgspec.json.encode(self.state.waters) == before, "apply changed its argument"
            self.state = state

    def is_due(self, kind: str) -> bool:
        return bool(self.naive.due[0] == kind)

    @rule(seed=SEEDS, count=st.integers(1, 12))
    def play_on(self, seed: int, count: int) -> None:
        """Do a few things that the rules allow."""
        random = Random(seed)
        for _ in range(count):
            match self.naive.due:
                case ("place", _):
                    layout = name_layout(self.rules, draw(self.rules, random))
                    self.act(Place(layout), layout)
                case ("shoot", seat, shots):
                    salvo = random.sample(self.open_cells(seat), shots)
                    self.act(Shoot(salvo), salvo)
                case ("move", seat):
                    board = self.naive.boards[seat]
                    name, cells = random.choice(board.moves())
                    numbers = [board.number(cell) for cell in cells]
                    self.act(Move(name, numbers), name, numbers)
                case ("answer", seat):
                    target = self.naive.boards[seat]
                    hits = [target.number(cell) for cell in self.naive.salvo[2]]
                    random.shuffle(hits)
                    self.act(Answer(hits), hits)

    def open_cells(self, seat: str) -> list[int]:
        target = self.naive.boards[naive["across"](seat)]
        closed = set() if self.rules.reshoot else {target.number(cell) for cell in target.tried}
        return sorted(set(range(self.rules.cells)) - closed)

    @precondition(lambda self: self.is_due("place"))
    @rule(seed=SEEDS, data=st.data())
    def place_somehow(self, seed: int, data: st.DataObject) -> None:
        layout = name_layout(self.rules, draw(self.rules, Random(seed)))
        name = data.draw(st.sampled_from([*layout, "Raft"]))
        change = data.draw(st.sampled_from(["drop", "put", "shift"]))
        if change == "drop":
            layout.pop(name, None)
        elif change == "put":
            layout[name] = data.draw(NUMBERS)
        else:
            by = data.draw(st.integers(-6, 6))
            layout[name] = [cell + by for cell in layout.get(name, [])]
        self.act(Place(layout), layout)

    @precondition(lambda self: self.is_due("shoot"))
    @rule(cells=NUMBERS)
    def shoot_somehow(self, cells: list[int]) -> None:
        self.act(Shoot(cells), cells)

    @precondition(lambda self: self.is_due("move"))
    @rule(name=st.none() | st.sampled_from(["0", "1", "2", "Raft"]), cells=NUMBERS)
    def move_somehow(self, name: str | None, cells: list[int]) -> None:
        self.act(Move(name, cells), name, cells)

    @precondition(lambda self: self.is_due("answer"))
    @rule(data=st.data(), strange=NUMBERS)
    def answer_somehow(self, data: st.DataObject, strange: list[int]) -> None:
        cells = st.lists(st.sampled_from(self.naive.salvo[1] or [0]), max_size=4)
        hits = data.draw(cells) + (strange if data.draw(st.integers(0, 9)) == 0 else [])
        self.act(Answer(hits), hits)

    @rule(kind=st.sampled_from(["place", "shoot", "move", "answer"]))
    def answer_another_request(self, kind: str) -> None:
        actions: dict[str, Action] = {
            "place": Place({}),
            "shoot": Shoot([]),
            "move": Move(None),
            "answer": Answer([]),
        }
        if kind != self.naive.due[0]:
            try:
                apply(self.state, actions[kind])
            except IllegalActionError:
                return
            raise AssertionError(f"{kind} answers {self.state.request}")

    @invariant()
    def they_agree(self) -> None:
        state, game = self.state, self.naive
        assert (state.result, state.ending) == (game.result, game.ending)
        if state.request is None:
            assert game.due == ("over",)
        else:
            assert (KINDS[type(state.request)], state.request.seat) == game.due[:2]
        if isinstance(state.request, ShootRequest):
            assert state.request.shots == game.due[2] > 0
        if isinstance(state.request, AnswerRequest):
            _, fired, struck, sunk = game.salvo
            target = game.boards[state.request.seat]
            assert list(state.request.cells) == fired
            assert [*state.request.hits] == [target.number(cell) for cell in struck]
            assert sorted(state.request.sunk) == sorted(sunk)
            assert state.request.lies == target.lies_left
        if state.salvo is not None:
            assert told(state.salvo.report) == game.told

    @invariant()
    def the_fleets_lie_where_they_should(self) -> None:
        for seat in ("first", "second"):
            waters, board = self.state.waters.of(seat), self.naive.boards[seat]
            if waters is None or (self.state.solo and seat == "first"):
                continue
            ships = {
                name: [board.number(cell) for cell in board.ships[name]] for name in board.ships
            }
            named = name_layout(self.rules, waters.ships)
            for number, (name, cells) in enumerate(named.items()):
                assert (waters.sunk >> number & 1) == (name not in board.afloat)
                assert cells == sorted(ships[name])
            if not self.rules.moves:
                assert check_layout(self.rules, named) == waters.ships


def told(report: CellsReport | CountReport) -> dict[str, Any]:
    fields: dict[str, Any] = msgspec.json.decode(
        msgspec.json.encode(msgspec.structs.asdict(report))
    )
    return fields


Game.TestCase.settings = settings(
    max_examples=200,
    stateful_step_count=25,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow],
)
TestGame = Game.TestCase
