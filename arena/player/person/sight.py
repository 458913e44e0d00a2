"""Follows a game as one seat sees it, action by action: its chart, and what happened in words."""

from collections.abc import Iterator

from arena.player.person import sentences
from arena.player.person.chart import Chart
from arena.protocol import End
from arena.rules import (
    FIRST_FEATURES,
    Action,
    AnswerRequest,
    Layout,
    Move,
    Place,
    Rules,
    Salvo,
    Seat,
    Shoot,
    State,
    apply,
    begin,
    begin_solo,
    cells_of,
    legal_moves,
    refuse_unknown,
)


class Sight:
    """A game as one seat sees it.

    Attributes:
        state: The whole game, of which the seat knows less.
        chart: What the seat knows.
        told: What happened, in sentences, oldest first.
        fired: The salvos of the seat, with their reports.
    """

    def __init__(self, rules: Rules, seat: Seat, layout: Layout | None = None) -> None:
        """Start at the beginning; with a layout, the first seat shoots at it alone."""
        refuse_unknown(
            rules,
            FIRST_FEATURES,
            "the words that explain the game to a person do not know this rule",
        )
        self.seat = seat
        self.state: State = begin(rules) if layout is None else begin_solo(rules, layout)
        self.chart = Chart(rules)
        self.told: list[str] = []
        self.fired: list[Salvo] = []
        self.chart.turn = self._turns()

    def _turns(self) -> int:
        return self.state.turns[0 if self.seat == "first" else 1]

    def take(self, action: Action) -> None:
        """Take in the next action, whoever chose it.

        Raises:
            IllegalActionError: If the rules forbid it.
        """
        before, chart = self.state, self.chart
        assert before.request is not None
        by = before.request.seat
        self.state = after = apply(before, action)
        chart.turn = self._turns()
        if by == self.seat:
            self._act(action)
        elif isinstance(after.request, AnswerRequest) and isinstance(action, Shoot):
            self._suffer(after.request.cells)  # it is seen before it is answered
        salvo = after.salvo
        if salvo is None or salvo is before.salvo:
            return
        if salvo.by == self.seat:
            self.fired.append(salvo)
            chart.learn(salvo.report)
            self.told.append(sentences.fired(chart, salvo.report))
        elif not chart.rules.lies:
            self._suffer(salvo.cells)

    def _act(self, action: Action) -> None:
        match action:
            case Place():
                waters = self.state.waters.of(self.seat)
                assert waters is not None
                self.chart.settle(waters.ships)
            case Shoot(cells=cells):
                self.chart.shoot(tuple(cells))
            case Move(ship=str(ship), cells=cells):
                self.chart.move(ship, cells)
            case _:
                pass

    def _suffer(self, cells: tuple[int, ...]) -> None:
        chart = self.chart
        assert chart.own is not None
        ships = {cell: chart.ship_at(cell) for cell in cells if chart.own.afloat >> cell & 1}
        volley = chart.suffer(cells)
        self.told.append(sentences.suffered(chart, cells, ships, volley))

    def fleets(self) -> str:
        """Return the turn, and which ships are afloat as far as the seat knows, in sentences."""
        return sentences.fleets(self.chart)

    def outcome(self, end: End) -> str:
        """Return how the game ended, in a sentence, and note what is revealed then."""
        if end.opponent_layout is not None:
            self.chart.reveal(end.opponent_layout)
        return sentences.outcome(self.chart, end)

    def moves(self) -> Iterator[tuple[str, str, tuple[int, ...]]]:
        """Yield the moves that the seat may make: the ship, where it goes, and its cells then."""
        chart = self.chart
        assert chart.own is not None
        for number, mask in legal_moves(chart.rules, chart.own):
            shift = mask.bit_length() - chart.own.ships[number].bit_length()
            way = sentences.direction(shift, chart.rules.columns)
            yield chart.rules.fleet[number].name, way, tuple(cells_of(mask))
