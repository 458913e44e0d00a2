"""Pairs of games between bundled bots in this process, under seeds of the test's choice."""

import importlib
import statistics
from collections.abc import Callable

import pytest

from arena.bot import Bot, _Session
from arena.player import News, Reply
from arena.protocol import End, Game, Layout, PlaceFleet, ShootSalvo, Shots, decode_from_bot, encode
from arena.records import Fixture, Settings
from arena.referee import play_game
from arena.rules import Place, Request, Rules, Shoot, ShootRequest

Seeds = Callable[[int], list[tuple[int, int]]]
"""The seeds of both seats in both games of a pair, by the number of the pair."""


class InProcess:
    """A bot that plays in this process."""

    def __init__(self, bot: Bot) -> None:
        self.session = _Session(bot)

    def start(self) -> None:
        pass

    def begin(self, game: Game) -> None:
        self.session.answer(encode(game))

    def ask(self, request: Request, news: News) -> Reply:
        if isinstance(request, ShootRequest):
            line = encode(ShootSalvo("0", request.shots, 1.0, news.report, news.incoming))
        else:
            line = encode(PlaceFleet("0", 1.0))
        answer = self.session.answer(line)
        assert answer is not None
        message = decode_from_bot(answer)
        assert isinstance(message, Layout | Shots)
        action = Place(message.ships) if isinstance(message, Layout) else Shoot(message.cells)
        return Reply(action, 0.0)

    def end(self, end: End) -> None:
        self.session.answer(encode(end))

    def stop(self, fault: object = None) -> None:
        pass


def _load(name: str) -> Bot:
    module = importlib.import_module(f"bots.{name}")
    [found] = [
        value
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, Bot) and value is not Bot
    ]
    return found()


@pytest.fixture
def pair_scores() -> Callable[..., list[int]]:
    """Return a function that plays pairs and returns how many games of each the first bot won."""

    def play(rules: Rules, bots: tuple[str, str], pairs: int, seeds: Seeds) -> list[int]:
        players = dict(zip("ab", map(InProcess, map(_load, bots)), strict=True))
        scores = []
        for pair in range(pairs):
            won = 0
            for (first, second), seat_seeds in zip(["ab", "ba"], seeds(pair), strict=True):
                fixture = Fixture("-", first, second, pair, seat_seeds)
                game = play_game(fixture, rules, Settings(), players)
                won += (first if game.result == "first" else second) == "a"
            scores.append(won)
        return scores

    return play


@pytest.fixture
def variance(pair_scores: Callable[..., list[int]]) -> Callable[..., float]:
    """Return a function that measures the variance of the score of a pair."""

    def measure(rules: Rules, bots: tuple[str, str], pairs: int, seeds: Seeds) -> float:
        return statistics.variance(pair_scores(rules, bots, pairs, seeds))

    return measure
