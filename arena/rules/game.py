"""Plays a game as a sequence of requests to one seat or the other: ``(state, action) -> state``.

A state holds either the pending request or the result. ``apply`` takes the answer to that request
and returns the next state; it changes nothing and uses no randomness.
"""

from collections.abc import Sequence
from typing import Literal, get_args

from msgspec import Struct
from msgspec.structs import replace

from arena.errors import IllegalActionError
from arena.rules import firing
from arena.rules.actions import (
    Action,
    Answer,
    AnswerRequest,
    Move,
    MoveRequest,
    Place,
    PlaceRequest,
    Request,
    Result,
    Salvo,
    Seat,
    Shoot,
    ShootRequest,
    other,
)
from arena.rules.firing import Sides, Volley, Waters
from arena.rules.layouts import Layout, check_layout
from arena.rules.motion import legal_moves, move_ship
from arena.rules.ruleset import Rules

SOLO_CAP = 10
"""A solo game ends after this many shots per cell of the board."""

Ending = Literal["sunk", "turn_limit", "capped"]


class State(Struct, frozen=True, gc=False):
    """A game at one moment.

    Attributes:
        request: The pending request, or None when the game is over.
        result: Who won, or None while the game goes on. If a solo game is capped, the layout's
            seat wins.
        salvo: The last salvo that was reported, or None.
        solo: Whether the first seat shoots alone, at a layout of the arena.
        turns: How many turns each seat has begun.
        reply: The shots that the second seat was due when the first seat's turn began: its last
            salvo if it is sunk in that turn and both must get equally many turns.
    """

    rules: Rules
    waters: Sides
    request: Request | None
    result: Result | None = None
    ending: Ending | None = None
    salvo: Salvo | None = None
    solo: bool = False
    turns: tuple[int, int] = (0, 0)
    reply: int = 0


def begin(rules: Rules) -> State:
    """Return the state in which the first seat must place its fleet."""
    return State(rules, Sides(), PlaceRequest("first"))


def begin_solo(rules: Rules, layout: Layout) -> State:
    """Return the state in which the first seat must shoot at a layout of the arena.

    A solo shooter never loses a ship: if shots depend on ships afloat, it has them all. The arena
    answers the second seat's requests, to move or to answer. Shooting again after a hit and the
    turn limit are ignored.
    """
    sides = Sides(second=Waters.placed(layout))
    return _begin_turn(State(rules, sides, None, solo=True), "first", sides, None)


def apply(state: State, action: Action) -> State:
    """Return the state after the answer to the pending request.

    Raises:
        IllegalActionError: If the rules forbid the action, or it answers another request; the
            message is meant for the bot.
    """
    request = state.request
    # Fast path: most requests are shots, and a type check is cheaper than ``match``.
    if type(request) is ShootRequest and type(action) is Shoot:
        return _shoot(state, request, action.cells)
    match request, action:
        case PlaceRequest(seat), Place(layout):
            return _place(state, seat, check_layout(state.rules, layout))
        case MoveRequest(seat), Move():
            return _move(state, seat, action)
        case AnswerRequest(seat, cells), Answer(hits):
            shooter = other(seat)
            target = _target(state.waters, shooter)
            volley = firing.answered(state.rules, target, request, hits)
            # In the order of the shots, since another order could give away the lies.
            told = tuple(cell for cell in cells if cell in hits)
            return _settle(state, shooter, volley, told)
        case None, _:
            raise IllegalActionError("the game is over")
        case _:
            pass
    raise IllegalActionError(f"{type(action).__name__} does not answer {request}")


def _target(sides: Sides, shooter: Seat) -> Waters:
    target = sides.of(other(shooter))
    assert target is not None
    return target


def _place(state: State, seat: Seat, layout: Layout) -> State:
    sides = state.waters.having(seat, Waters.placed(layout))
    if seat == "first":
        return State(state.rules, sides, PlaceRequest("second"))
    return _begin_turn(state, "first", sides, None)


def _shoot(state: State, request: ShootRequest, cells: Sequence[int]) -> State:
    rules, seat = state.rules, request.seat
    own, target = state.waters.first, state.waters.second
    if seat == "second":
        own, target = target, own
    assert target is not None
    if rules.lies:
        volley = firing.fire(rules, target, request.shots, cells)
        left = rules.lies - volley.waters.lies
        answer = AnswerRequest(other(seat), volley.cells, volley.hits, volley.sunk, left)
        return replace(state, request=answer)
    fired = firing.check_salvo(rules, target, request.shots, cells)
    if fired & target.afloat or rules.moves or own is None or not own.afloat:
        volley = firing.effect(rules, target, fired, tuple(cells))
        return _settle(state, seat, volley, volley.hits)
    # Fast path: most salvos miss, and then ``_settle`` reduces to this.
    after = firing.missed(target, fired)
    sides = Sides(own, after) if seat == "first" else Sides(after, own)
    salvo = Salvo(seat, tuple(cells), firing.report_of_misses(rules), 0)
    return _pass(state, seat, sides, salvo)


def _settle(state: State, seat: Seat, volley: Volley, told: tuple[int, ...]) -> State:
    """Return the state after a salvo with ``told`` reported as hits."""
    rules, solo = state.rules, state.solo
    target = volley.waters
    sides = state.waters.having(other(seat), target)
    salvo = Salvo(seat, volley.cells, firing.report(rules, volley, told), len(volley.hits))
    own = sides.of(seat)
    replies = own is not None and not own.afloat
    if not target.afloat:
        return _sunk(replace(state, waters=sides, salvo=salvo, request=None), seat)
    if rules.again and told and not solo:
        # A seat that is sunk shoots as often as in its reply: with no ship afloat it would be due
        # no shot.
        due = min(state.reply, _left(rules, target)) if replies else _due(rules, own, target)
        return replace(state, waters=sides, salvo=salvo, request=ShootRequest(seat, due))
    if replies:
        # The second seat was sunk and has replied, but the first is still afloat.
        return replace(
            state, waters=sides, salvo=salvo, request=None, result="first", ending="sunk"
        )
    mover: Seat = "second" if solo else seat
    waters = sides.of(mover)
    if rules.moves and waters is not None and legal_moves(rules, waters):
        return replace(state, waters=sides, salvo=salvo, request=MoveRequest(mover))
    return _pass(state, seat, sides, salvo)


def _sunk(state: State, seat: Seat) -> State:
    own = state.waters.of(seat)
    if own is not None and not own.afloat:
        return replace(state, result="draw", ending="sunk")
    if state.rules.end == "equal-turns" and seat == "first" and not state.solo:
        turns = (state.turns[0], state.turns[1] + 1)
        return replace(state, request=ShootRequest("second", state.reply), turns=turns)
    return replace(state, result=seat, ending="sunk")


def _move(state: State, seat: Seat, move: Move) -> State:
    sides = state.waters
    if move.ship is not None:
        waters = sides.of(seat)
        assert waters is not None
        waters = move_ship(state.rules, waters, move.ship, move.cells)
        sides = sides.having(seat, waters)
    return _pass(state, "first" if state.solo else seat, sides, state.salvo)


def _pass(state: State, seat: Seat, sides: Sides, salvo: Salvo | None) -> State:
    """Return the state after ``seat`` ended its turn, with the sides as it left them."""
    rules = state.rules
    if state.solo:
        target = _target(sides, "first")
        if state.turns[0] * _due(rules, None, target) >= SOLO_CAP * rules.cells:
            state = replace(state, waters=sides, salvo=salvo)
            return replace(state, request=None, result="second", ending="capped")
        return _begin_turn(state, "first", sides, salvo)
    if seat == "second" and state.turns[0] == rules.turn_limit:
        state = replace(state, waters=sides, salvo=salvo)
        return replace(state, request=None, result=_ahead(sides), ending="turn_limit")
    return _begin_turn(state, "second" if seat == "first" else "first", sides, salvo)


def _ahead(sides: Sides) -> Result:
    first, second = (_target(sides, seat).sunk.bit_count() for seat in ("first", "second"))
    if first > second:
        return "first"
    return "second" if second > first else "draw"


def _begin_turn(state: State, seat: Seat, sides: Sides, salvo: Salvo | None) -> State:
    rules = state.rules
    first, second = state.turns
    reply = state.reply
    if seat == "first":
        first += 1
        own, target = sides.first, sides.second
        if rules.end == "equal-turns" and own is not None and target is not None:
            reply = _due(rules, target, own)
    else:
        second += 1
        own, target = sides.second, sides.first
    assert target is not None
    if rules.shots == 1 and target.afloat:
        request = _ONE_SHOT[seat]  # a ship afloat always has a cell left to shoot
    else:
        request = ShootRequest(seat, _due(rules, own, target))
    return State(rules, sides, request, None, None, salvo, state.solo, (first, second), reply)


_ONE_SHOT = {seat: ShootRequest(seat, 1) for seat in get_args(Seat)}


def _due(rules: Rules, own: Waters | None, target: Waters) -> int:
    """Return how many shots a seat is due in a turn that begins now.

    Its own waters are None in a solo game.
    """
    shots = rules.shots
    sunk = own.sunk if own is not None else 0
    if shots == "afloat":
        shots = len(rules.fleet) - sunk.bit_count()
    elif shots == "by-ship":
        shots = sum(ship.shots for number, ship in enumerate(rules.fleet) if not sunk >> number & 1)
    left = _left(rules, target)
    return min(left, shots)


def _left(rules: Rules, target: Waters) -> int:
    cells = rules.rows * rules.columns
    return cells if rules.reshoot else cells - target.shot.bit_count()
