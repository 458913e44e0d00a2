"""Keeps the record of a game in progress."""

from random import Random

from arena.player import Fault, News
from arena.protocol import End
from arena.records import (
    AnswerStep,
    Fixture,
    Game,
    MoveStep,
    PlaceStep,
    ShootStep,
    Step,
    Tally,
    Termination,
)
from arena.rules import (
    FIRST_FEATURES,
    SOLO_CAP,
    Action,
    Answer,
    AnswerRequest,
    Layout,
    Move,
    MoveRequest,
    Place,
    Report,
    Request,
    Rules,
    Salvo,
    Seat,
    Shoot,
    ShootRequest,
    State,
    apply,
    begin,
    begin_solo,
    cells_of,
    draw,
    legal_moves,
    name_layout,
    other,
    refuse_unknown,
)

MOVE_PROBABILITY = 0.5
LIE_PROBABILITY = 0.1

_BEFORE_ACTING = (ShootRequest, MoveRequest)
_NO_NEWS = News()

_REASONS = {
    Termination.SUNK: "every ship of the other side is sunk",
    Termination.TURN_LIMIT: "the turns are used up, and the ships sunk were counted",
    Termination.CAPPED: f"the fleet was not sunk with {SOLO_CAP} shots per cell of the board",
}


class Scorebook:
    """A game in progress: its state, the news that each seat has not had yet, and the steps so far.

    In solo, the layout to shoot at is drawn by the second seed if it is None.
    """

    def __init__(self, fixture: Fixture, rules: Rules, layout: Layout | None = None) -> None:
        self.fixture = fixture
        self.rules = rules
        self.layouts: dict[Seat, Layout] = {}
        if fixture.second is None:
            # The arena plays the second seat: it draws the layout, moves its ships and lies.
            refuse_unknown(
                rules, FIRST_FEATURES, "the arena's seat in solo games does not know this rule"
            )
            self.random = Random(fixture.seeds[1])
            self.layouts["second"] = draw(rules, self.random) if layout is None else layout
            self.state: State = begin_solo(rules, self.layouts["second"])
        else:
            self.state = begin(rules)
        self.steps: list[Step] = []
        self.tallies: dict[Seat, list[int]] = {"first": [0, 0, 0], "second": [0, 0, 0]}
        """The fields of each seat's ``Tally``."""
        self.reports: dict[Seat, Report | None] = {"first": None, "second": None}
        self.incoming: dict[Seat, list[tuple[int, ...]]] = {"first": [], "second": []}

    def news_for(self, request: Request) -> News:
        """Return the news to send with a request; only requests to shoot or move have some."""
        if isinstance(request, _BEFORE_ACTING):
            return self.take_news(request.seat)
        return _NO_NEWS

    def take_news(self, seat: Seat) -> News:
        """Return the news that ``seat`` has not had yet, and count it as sent."""
        news = News(self.reports[seat], tuple(self.incoming[seat]))
        self.reports[seat] = None
        self.incoming[seat] = []
        return news

    def play(self, action: Action, charge_s: float) -> None:
        """Apply an answer, record it, and keep its news for both seats.

        Raises:
            IllegalActionError: If the rules forbid it.
        """
        before = self.state
        request = before.request
        assert request is not None
        self.state = after = apply(before, action)
        charge_s = int(charge_s * 1e6 + 0.5) / 1e6  # faster than ``round``
        # Fast path: most answers are shots, and a type check is cheaper than ``match``.
        if isinstance(action, Shoot):
            self.steps.append(ShootStep(request.seat, tuple(action.cells), charge_s))
        else:
            self._write(request.seat, action, charge_s)
        if after.salvo is not before.salvo:
            self._note(before, after.salvo)

    def _write(self, seat: Seat, action: Place | Move | Answer, charge_s: float) -> None:
        match action:
            case Place():
                waters = self.state.waters.of(seat)
                assert waters is not None
                self.layouts[seat] = waters.ships
                self.steps.append(PlaceStep(seat, charge_s))
            case Move(ship=ship, cells=cells):
                self.steps.append(MoveStep(seat, ship, tuple(cells), charge_s))
            case Answer(hits=hits):
                self.steps.append(AnswerStep(seat, tuple(hits), charge_s))

    def _note(self, before: State, salvo: Salvo | None) -> None:
        """Count a salvo, and keep its news for both seats."""
        assert salvo is not None
        self.reports[salvo.by] = salvo.report
        self.incoming[other(salvo.by)].append(salvo.cells)
        tally = self.tallies[salvo.by]
        tally[0] = before.turns[0 if salvo.by == "first" else 1]
        tally[1] += len(salvo.cells)
        tally[2] += salvo.hits

    def answer_for_layout(self) -> None:
        """Answer the second seat's requests in a solo game for the arena.

        A ship moves with probability 1/2, each legal move equally likely. If the salvo sank no
        ship, the arena lies about each cell with probability 1/10, as long as lies are left.
        """
        while self.state.request is not None and self.state.request.seat == "second":
            self.play(self._arenas_answer(self.state.request), 0.0)

    def _arenas_answer(self, request: Request) -> Action:
        if isinstance(request, AnswerRequest):
            hits = set(request.hits)
            if not request.sunk:
                liars = [cell for cell in request.cells if self.random.random() < LIE_PROBABILITY]
                hits ^= set(liars[: request.lies])
            return Answer(tuple(cell for cell in request.cells if cell in hits))
        assert isinstance(request, MoveRequest)
        waters = self.state.waters.of("second")
        assert waters is not None
        if self.random.random() < MOVE_PROBABILITY:
            number, mask = self.random.choice(legal_moves(self.rules, waters))
            return Move(self.rules.fleet[number].name, tuple(cells_of(mask)))
        return Move(None)

    def record(self, seat: Seat, fault: Fault | None) -> Game:
        """Return the record of the game; ``fault``, if any, is that of ``seat``."""
        forfeit: Seat | None = None
        if fault is None:
            assert self.state.result is not None
            assert self.state.ending is not None
            result = self.state.result
            termination = Termination(self.state.ending)
            reason = _REASONS[termination]
        else:
            forfeit = seat
            # In solo the layout's seat wins by a forfeit.
            result, termination, reason = other(forfeit), fault.termination, fault.reason
        return Game(
            fixture=self.fixture,
            result=result,
            termination=termination,
            reason=reason,
            forfeit=forfeit,
            layouts={seat: name_layout(self.rules, ships) for seat, ships in self.layouts.items()},
            steps=tuple(self.steps),
            tallies=(Tally(*self.tallies["first"]), Tally(*self.tallies["second"])),
        )

    def ending(self, seat: Seat, game: Game) -> End:
        """Return the message to ``seat`` at the end of the game."""
        news = self.take_news(seat)
        waters = self.state.waters.of(other(seat))
        layout = None
        # An unknown fleet stays unknown, since the next game has the same one.
        if waters is not None and self.rules.fleet_known:
            named = name_layout(self.rules, waters.ships)
            layout = {name: tuple(cells) for name, cells in named.items()}
        return End(
            result="drawn" if game.result == "draw" else "won" if game.result == seat else "lost",
            termination=game.termination,
            reason=game.reason,
            report=news.report,
            incoming=news.incoming,
            opponent_layout=layout,
        )
