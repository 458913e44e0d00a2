"""Numbers that a bot reports of itself: asked for after each game, from those who said so alone."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from msgspec.structs import replace

from arena import Bot, Unavailable
from arena.conformance import check
from arena.entrants import parse_entrant
from arena.isolation import Level
from arena.player import InProcessPlayer, RemotePlayer
from arena.records import Fixture, Game, Settings, Termination
from arena.referee import play_bots, play_game
from arena.rules import preset, view
from arena.tournament import connect

RULES = preset("ramesh-1")
QUICK = Settings(move_s=1.0, game_s=20.0)

PROGRAM = """
import json, sys, time

def say(**message):
    print(json.dumps(message), flush=True)

games = 0
for line in sys.stdin:
    heard = json.loads(line)
    match heard["type"]:
        case "hello":
            say(type="hello", protocol=1, name="counter", reports=True)
        case "game":
            games, asked = games + 1, 0
        case "shoot":
            asked += 1
            say(type="shots", id=heard["id"], cells=[asked - 1])
        case "end":
            ANSWER
        case "bye":
            break
"""

Play = Callable[[str], list[Game]]


@pytest.fixture
def play(tmp_path: Path) -> Play:
    """Return what plays two games alone with a bot that answers ``end`` as given."""

    def play(answer: str) -> list[Game]:
        bot = tmp_path / "counter.py"
        bot.write_text(PROGRAM.replace("ANSWER", answer), encoding="utf-8")
        program = parse_entrant(str(bot), {}).program
        player = connect(program, RULES, QUICK, Level.NONE)
        try:
            return [
                play_game(
                    Fixture(f"{n}", "counter", None, n, (n, n)), RULES, QUICK, {"counter": player}
                )
                for n in (1, 2)
            ]
        finally:
            player.stop()

    return play


def test_numbers_are_those_of_each_game(play: Play) -> None:
    games = play('say(type="numbers", numbers={"asked": asked, "cost_usd": 0.25, "games": games})')
    for number, game in enumerate(games, 1):
        turns = game.tallies[0].turns
        assert game.reported == {"first": {"asked": turns, "cost_usd": 0.25, "games": number}}
        assert game.forfeit is None


@pytest.mark.parametrize(
    ("answer", "termination", "reason"),
    [
        ("pass", Termination.TIMEOUT, "did not answer in time (1 s for a move)"),
        ("sys.exit(3)", Termination.EXITED, "exited with code 3"),
        ('say(type="shots", id="", cells=[1])', Termination.MALFORMED, "expected 'numbers', got"),
        ('say(type="numbers", numbers={"a b": 1})', Termination.MALFORMED, "numbers"),
        ('say(type="numbers", numbers={"a": float("nan")})', Termination.MALFORMED, "malformed"),
        (r'say(type="numbers", numbers={"a\n": 1})', Termination.MALFORMED, "matching regex"),
        (
            'say(type="numbers", numbers={"a": 1e16})',
            Termination.MALFORMED,
            "Expected `float` <= 1000000000000000",
        ),
        ('say(type="numbers", numbers={"a": "much"})', Termination.MALFORMED, "Expected `float`"),
        (
            'say(type="numbers", numbers={f"a{n}": n for n in range(9)})',
            Termination.MALFORMED,
            "length <= 8",
        ),
        (
            'print(\'{"type":"numbers","numbers":{"a":1,"a":2}}\', flush=True)',
            Termination.MALFORMED,
            "twice",
        ),
    ],
)
def test_wrong_numbers_cost_the_next_game_and_not_this_one(
    play: Play, answer: str, termination: Termination, reason: str
) -> None:
    first, second = play(answer)
    assert (first.forfeit, first.reported) == (None, {})
    assert (second.forfeit, second.termination) == ("first", termination)
    assert reason in second.reason


class Counting(Bot):
    """Counts its own turns, or reports something else."""

    what: object = None

    def game_begins(self) -> None:
        self.turns = 0

    def choose_shots(self, count: int) -> list[int]:
        self.turns += 1
        return self.untried[:count]

    def numbers(self) -> Mapping[str, float]:
        return {"turns": self.turns} if self.what is None else self.what  # type: ignore[return-value]


class Silent(Bot):
    """Reports nothing."""

    def choose_shots(self, count: int) -> list[int]:
        return self.untried[-count:]


def test_kit_reports_what_the_bot_overrides_and_nothing_else() -> None:
    game = play_bots([Counting(), Silent()], RULES)
    assert game.reported == {"first": {"turns": game.tallies[0].turns}}


def test_bot_whose_opponent_forfeits_reports_too() -> None:
    class Failing(Silent):
        def choose_shots(self, count: int) -> list[int]:
            raise ValueError(f"I give up before {count} shots")

    game = play_bots([Counting(), Failing()], RULES)
    assert (game.forfeit, game.reported) == ("second", {"first": {"turns": 1}})


@pytest.mark.parametrize(
    ("what", "told"),
    [
        ([1], "numbers (test_numbers.py, line"),
        ({"tokens": "many"}, "expected a dict of numbers by short names"),
        ({"tokens": 10**400}, "expected a dict of numbers by short names"),
        ({"tokens": float("inf")}, "of which one is not finite"),
        ({"a name that is too long for a table": 1}, "Expected `str` matching regex"),
    ],
)
def test_wrong_numbers_are_told_in_the_words_of_the_author(what: object, told: str) -> None:
    class Wrong(Counting):
        pass

    Wrong.what = what
    player = InProcessPlayer(Wrong, view(RULES))
    fixture = Fixture("x", "wrong", None, 0, (1, 2))
    assert play_game(fixture, RULES, QUICK, {"wrong": player}).forfeit is None
    again = play_game(replace(fixture, id="y"), RULES, QUICK, {"wrong": player})
    assert again.forfeit == "first"
    assert told in again.reason


def test_bot_that_reports_is_found_wanting_by_a_check(tmp_path: Path) -> None:
    bot = tmp_path / "counter.py"
    bot.write_text(PROGRAM.replace("ANSWER", "pass"), encoding="utf-8")
    steps = list(check(parse_entrant(str(bot), {}), RULES, QUICK, Level.NONE))
    failed = [step for step in steps if step.verdict == "failed"]
    assert "after the game, timeout: did not answer in time" in failed[0].detail
    exchange = failed[0].exchange
    assert exchange is not None
    assert '{"type":"numbers","numbers":{"tokens":812}}' in exchange.expected


def test_nobody_is_waited_for_who_reports_nothing(tmp_path: Path) -> None:
    bot = tmp_path / "counter.py"
    text = PROGRAM.replace("ANSWER", "pass").replace(", reports=True", "")
    bot.write_text(text, encoding="utf-8")
    player = connect(parse_entrant(str(bot), {}).program, RULES, QUICK, Level.NONE)
    assert isinstance(player, RemotePlayer)
    game = play_game(Fixture("1", "x", None, 1, (1, 1)), RULES, QUICK, {"x": player})
    assert (game.forfeit, game.reported, player.late) == (None, {}, None)
    player.stop()


def test_outage_after_the_game_reports_nothing_and_costs_no_game() -> None:
    class Down(Counting):
        def numbers(self) -> Mapping[str, float]:
            raise Unavailable("the usage page is down")

    player = InProcessPlayer(Down, view(RULES))
    for number in ("1", "2"):
        game = play_game(Fixture(number, "down", None, 0, (1, 2)), RULES, QUICK, {"down": player})
        assert (game.forfeit, game.reported) == (None, {})
