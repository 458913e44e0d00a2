"""A game of a person goes on from what was kept of it, as if nothing had happened."""

from collections.abc import Callable, Sequence
from functools import partial
from random import Random

import pytest

from arena.bot import Bot
from arena.player import UNHURRIED, InProcessPlayer, Player
from arena.player.person import Sight
from arena.records import Fixture, Game, comparable
from arena.referee import play_in
from arena.resumed_game import Absentee, AnsweredOtherwiseError, KeptBook, as_line, from_line
from arena.rules import (
    PRESETS,
    Answer,
    AnswerRequest,
    Move,
    Place,
    PlaceRequest,
    Request,
    Rules,
    Shoot,
    ShootRequest,
    cells_of,
    draw,
    legal_moves,
    name_layout,
    preset,
    view,
)

FIXTURE = Fixture("game", "you", "bot", 0, (1, 2))


class Roamer(Bot):
    """Shoots at random."""

    def choose_shots(self, count: int) -> Sequence[int]:
        return self.random.sample(
            range(self.rules.cells) if self.rules.reshoot else self.untried, count
        )


class Person:
    """A person at another place, who acts at random; the place knows the game as the page does."""

    def __init__(self, rules: Rules, kept: list[bytes]) -> None:
        self.rules, self.kept, self.random = rules, kept, Random(5)
        self.sight, self.seen = Sight(rules, "first"), 0
        self.stops_at = 10_000

    def act(self) -> bytes:
        if len(self.kept) >= self.stops_at:
            raise KeyboardInterrupt
        sight = self.sight
        for line in self.kept[self.seen :]:
            assert sight.state.request is not None
            sight.take(from_line(line, sight.state.request))
        self.seen = len(self.kept)
        request = sight.state.request
        assert request is not None
        assert request.seat == "first"
        line = as_line(self.choose(sight, request))
        self.kept.append(line)
        return line

    def choose(self, sight: Sight, request: Request) -> Place | Shoot | Move | Answer:
        random, rules = self.random, self.rules
        match request:
            case PlaceRequest():
                return Place(name_layout(rules, draw(rules, random)))
            case ShootRequest(shots=shots):
                free = [
                    c for c in range(rules.cells) if rules.reshoot or c not in sight.chart.marks
                ]
                return Shoot(tuple(random.sample(free, shots)))
            case AnswerRequest(hits=hits):
                return Answer(hits)
            case _:
                assert sight.chart.own is not None
                number, mask = legal_moves(rules, sight.chart.own)[0]
                return Move(rules.fleet[number].name, tuple(cells_of(mask)))


def play(
    rules: Rules, kept: list[bytes], act: Callable[[], bytes], bot: type[Bot] = Roamer
) -> Game:
    book = KeptBook(FIXTURE, rules, list(kept), kept.append)

    def wait() -> bytes:
        line = act()
        book.learn(list(kept))
        return line

    players: dict[str, Player] = {
        "you": Absentee(book, wait),
        "bot": InProcessPlayer(bot, view(rules)),
    }
    return play_in(book, UNHURRIED, players)


def following(kept: list[bytes], whole: Sequence[bytes]) -> bytes:
    kept.append(whole[len(kept)])
    return kept[-1]


@pytest.mark.parametrize("name", PRESETS)
def test_game_goes_on_from_any_moment_to_the_same_end(name: str) -> None:
    rules = preset(name)
    whole: list[bytes] = []
    game = play(rules, whole, Person(rules, whole).act)
    for share in (0.0, 0.3, 0.9):
        kept = whole[: int(share * len(whole))]
        assert comparable(play(rules, kept, partial(following, kept, whole))) == comparable(game)
        assert kept == whole


@pytest.mark.parametrize("name", PRESETS)
def test_a_seat_sees_its_own_side_as_it_is_and_of_the_other_what_was_reported(name: str) -> None:
    rules = preset(name)
    kept: list[bytes] = []
    play(rules, kept, Person(rules, kept).act)
    sight = Sight(rules, "first")
    for line in kept:
        assert sight.state.request is not None
        sight.take(from_line(line, sight.state.request))
        own = sight.state.waters.first
        if own is not None and not isinstance(sight.state.request, AnswerRequest):
            assert sight.chart.own is not None
            assert (sight.chart.own.ships, sight.chart.own.hit) == (own.ships, own.hit)
    assert sight.chart.revealed == ()
    assert sight.told


def test_bot_that_answers_otherwise_cannot_go_on() -> None:
    rules = preset("ramesh-1")
    kept: list[bytes] = []
    person = Person(rules, kept)
    person.stops_at = 8
    with pytest.raises(KeyboardInterrupt):
        play(rules, kept, person.act)

    class Another(Roamer):
        def choose_shots(self, count: int) -> Sequence[int]:
            return self.untried[-count:]

    with pytest.raises(AnsweredOtherwiseError):
        play(rules, kept, person.act, Another)
