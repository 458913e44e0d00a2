"""Plays as a person at a terminal."""

import time
from collections.abc import Sequence
from random import Random

from arena.player.person import sentences
from arena.player.person.chart import Chart
from arena.player.person.dialogue import Dialogue, Terminal
from arena.player.person.entry import choose_hits, choose_layout, choose_move, choose_shots
from arena.player.player import Fault, News, Reply
from arena.protocol import End, Game
from arena.rules import (
    FIRST_FEATURES,
    Action,
    Answer,
    AnswerRequest,
    MoveRequest,
    Place,
    PlaceRequest,
    Request,
    Rules,
    Shoot,
    ShootRequest,
    name_layout,
    refuse_unknown,
)


class Person:
    """A person at a terminal; see ``arena.player.Player``.

    The clock and the stakes are those of ``Dialogue``.
    """

    def __init__(
        self, rules: Rules, terminal: Terminal, clock_s: float | None = None, stakes: str = ""
    ) -> None:
        refuse_unknown(
            rules,
            FIRST_FEATURES,
            "the words that explain the game to a person do not know this rule",
        )
        self._rules = rules
        self._terminal = terminal
        self._clock_s = clock_s
        self._stakes = stakes

    def start(self) -> None:
        """Do nothing: a person is always ready."""

    def begin(self, game: Game) -> None:
        """Explain the rules and who begins."""
        guide = sentences.guide(self._rules)
        self._random = Random(game.seed)
        self._chart = Chart(self._rules)
        self._dialogue = Dialogue(self._terminal, guide, self._clock_s, self._stakes)
        self._answered = 0
        order = "You shoot first." if game.seat == "first" else "They shoot first."
        self._terminal.say(f"{guide}\n{order} Place your fleet.")

    def ask(self, request: Request, news: News) -> Reply:
        """Answer a request.

        Raises:
            Fault: ``EXITED`` if the person leaves, ``TIMEOUT`` if the time is up.
        """
        started = time.monotonic()
        action = self._answer(request, news)
        return Reply(action, time.monotonic() - started)

    def _answer(self, request: Request, news: News) -> Action:
        chart, dialogue = self._chart, self._dialogue
        self._hear(news)
        match request:
            case PlaceRequest():
                chart.settle(choose_layout(chart, dialogue, self._random))
                assert chart.own is not None
                return Place(name_layout(self._rules, chart.own.ships))
            case ShootRequest(shots=shots):
                # Another salvo after a hit belongs to the same turn.
                chart.turn += bool(news.incoming) or not chart.turn
                chart.shoot(choose_shots(chart, dialogue, shots))
                return Shoot(chart.salvo)
            case MoveRequest():
                move = choose_move(chart, dialogue)
                if move.ship is not None:
                    chart.move(move.ship, move.cells)
                return move
            case AnswerRequest():
                sinkers = {cell for cell in request.hits if chart.ship_at(cell) in request.sunk}
                self._suffer(request.cells)
                self._answered += 1
                return Answer(choose_hits(chart, dialogue, request, sinkers))

    def end(self, end: End) -> None:
        """Show how the game ended."""
        chart = self._chart
        self._hear(News(end.report, end.incoming))
        if end.opponent_layout is not None:
            chart.reveal(end.opponent_layout)
        if chart.own is not None:
            self._terminal.show(chart)
        self._terminal.say(sentences.outcome(chart, end))

    def stop(self, fault: Fault | None = None) -> str:
        """Do nothing: the caller says goodbye."""
        del fault
        return ""

    def _hear(self, news: News) -> None:
        chart = self._chart
        if news.report is not None:
            chart.learn(news.report)
            self._terminal.say(sentences.fired(chart, news.report))
        if news.incoming:
            # A salvo that the person had to answer was shown then.
            for cells in news.incoming[self._answered :]:
                self._suffer(cells)
            self._answered = 0

    def _suffer(self, cells: Sequence[int]) -> None:
        chart = self._chart
        assert chart.own is not None
        ships = {cell: chart.ship_at(cell) for cell in cells if chart.own.afloat >> cell & 1}
        volley = chart.suffer(cells)
        self._terminal.say(sentences.suffered(chart, cells, ships, volley))
