"""Which games are played at a task, and what is kept of them, without playing any."""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from arena.errors import UserError
from arena.isolation import Level
from arena.player import UNHURRIED
from arena.records import Fixture, Settings, Termination
from salvo.benchmark import evaluation
from salvo.benchmark import games as games_module
from salvo.benchmark.agents import Agent
from salvo.benchmark.evaluation import OtherAgentError, evaluate, is_played, unplayed
from salvo.benchmark.games import NotPlayedError, Run, games_of, points_of
from salvo.benchmark.results import Played, read_result, write_result
from salvo.benchmark.tasks import TASKS, Task, layouts_of

ROW, CLASSIC, DUEL = TASKS["row-10-3"], TASKS["classic"], TASKS["duel"]
OPPONENTS = DUEL.opponents


class Lives:
    """Stands in for an agent's players: how many there were, and are."""

    def __init__(self) -> None:
        self.started: list[str] = []
        self.stopped = 0

    def player(self, task: Task, level: Level, _ending: ExitStack) -> Any:  # noqa: ANN401
        self.started.append(f"{task.name} {level}")
        return SimpleNamespace(stop=self._stop)

    def _stop(self) -> None:
        self.stopped += 1


@pytest.fixture
def lives() -> Lives:
    return Lives()


@pytest.fixture
def agent(lives: Lives) -> Agent:
    return Agent("mine", "bot", "d", lives.player)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Return the games that were asked for; none is played."""
    calls: list[Any] = []

    def play_game(
        fixture: Fixture,
        rules: Any,  # noqa: ANN401
        settings: Settings,
        players: dict[str, Any],
        layout: Any = None,  # noqa: ANN401
    ) -> Any:  # noqa: ANN401
        calls.append((fixture, rules.name, settings, list(players), layout))
        return SimpleNamespace(fixture=fixture, termination=Termination.SUNK)

    monkeypatch.setattr(games_module, "play_game", play_game)
    return calls


def seed(text: str) -> int:
    return int(hashlib.sha256(text.encode()).hexdigest()[:12], 16)


def test_shooter_alone_plays_the_layouts_of_these_numbers(
    asked: list[Any], agent: Agent, lives: Lives
) -> None:
    list(games_of(agent, ROW, [3, 0], Run(seed=2)))
    assert asked == [
        (
            Fixture(
                f"row-10-3-{number}",
                "agent",
                None,
                number,
                tuple(
                    seed(f"battleship-v1 row-10-3 2 {number} {what}") for what in ("agent", "luck")
                ),
            ),
            "row-10-3",
            UNHURRIED,
            ["agent"],
            layouts_of(ROW)[number],
        )
        for number in (3, 0)
    ]
    assert (lives.started, lives.stopped) == (["row-10-3 none"], 1)


@pytest.mark.parametrize(("fresh", "series"), [(None, ""), (7, " fresh 7")])
def test_duels_are_with_the_opponents_in_turn_from_both_seats(
    asked: list[Any], agent: Agent, lives: Lives, fresh: int | None, series: str
) -> None:
    found = list(games_of(agent, DUEL, range(2, 9), Run(seed=2, fresh=fresh)))
    assert [game.fixture.pair for game in found] == list(range(2, 9))
    text = f"battleship-v1 duel{series}"
    for game in found:
        number = game.fixture.pair
        own = "agent", seed(f"{text} 2 {number} agent")
        other = OPPONENTS[number % 4], seed(f"{text} {number} opponent")
        first, second = (own, other) if number // 4 != 1 else (other, own)
        assert game.fixture == Fixture(
            f"duel-{number}", first[0], second[0], number, (first[1], second[1])
        )
    assert [call[0].pair for call in asked] == [4, 8, 5, 2, 6, 3, 7]
    assert {call[1:3] for call in asked} == {("salvo", UNHURRIED)}
    assert all(call[3:] == (["agent", *OPPONENTS], None) for call in asked)
    assert (lives.started, lives.stopped) == (["duel none"] * 4, 4)


def test_duels_with_fewer_opponents_start_no_more_players(
    asked: list[Any], agent: Agent, lives: Lives
) -> None:
    list(games_of(agent, DUEL, [1, 5], Run()))
    assert len(asked) == 2
    assert lives.started == ["duel none"]


def test_isolated_bot_has_as_long_as_in_a_tournament(asked: list[Any], agent: Agent) -> None:
    list(games_of(agent, ROW, [0], Run(level=Level.LIMITS)))
    list(games_of(agent, DUEL, [0], Run(level=Level.LIMITS)))
    assert [settings for _, _, settings, *_ in asked] == [Settings(), Settings()]


def test_agent_that_does_not_play_the_rules_is_named(
    monkeypatch: pytest.MonkeyPatch, agent: Agent
) -> None:
    unstarted = SimpleNamespace(termination=Termination.UNSTARTED, reason="it does not")
    monkeypatch.setattr(games_module, "play_game", lambda *_, **__: unstarted)
    with pytest.raises(NotPlayedError, match=r"^mine: row-10-3: it does not$"):
        list(games_of(agent, ROW, [0], Run()))


@pytest.mark.parametrize(
    ("seats", "result", "points"),
    [
        (("agent", "it"), "first", 1.0),
        (("agent", "it"), "second", 0.0),
        (("it", "agent"), "first", 0.0),
        (("it", "agent"), "second", 1.0),
        (("it", "agent"), "draw", 0.5),
    ],
)
def test_points_are_those_of_the_agent(seats: tuple[str, str], result: str, points: float) -> None:
    game: Any = SimpleNamespace(fixture=Fixture("a", *seats, 0, (0, 0)), result=result)
    assert points_of(game) == points


@pytest.mark.parametrize(
    ("task", "layouts", "games"),
    [
        (ROW, None, 504),
        (ROW, 3, 504),
        (CLASSIC, None, 1000),
        (CLASSIC, 3, 3),
        (CLASSIC, 1001, 1000),
        (DUEL, None, 1000),
        (DUEL, 3, 3),
        (DUEL, 1001, 1000),
    ],
)
def test_as_many_games_are_played_as_there_are_or_are_asked_for(
    task: Task, layouts: int | None, games: int
) -> None:
    assert Run(layouts=layouts).games(task) == games


Told = Callable[[int], dict[str, Any]]


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> Callable[[Told], list[Sequence[int]]]:
    """Return a function that says how games end, by their numbers; it returns those asked for."""

    def tell(ends: Told) -> list[Sequence[int]]:
        blocks: list[Sequence[int]] = []

        def games(_: Agent, task: Task, numbers: Sequence[int], __: Run) -> Iterator[Any]:
            blocks.append(numbers)
            second = "it" if task.opponents else None
            for number in numbers:
                end = {"forfeit": None, "reason": "", "turns": 40 + number % 9} | ends(number)
                fixture = Fixture("", "agent", second, number, (0, 0))
                tallies = [SimpleNamespace(turns=end["turns"])]
                yield SimpleNamespace(fixture=fixture, tallies=tallies, **end)

        monkeypatch.setattr(evaluation, "games_of", games)
        return blocks

    monkeypatch.setattr(
        evaluation, "luck_of_game", lambda _, game: SimpleNamespace(turns=game.fixture.pair / 3)
    )
    return tell


def as_usual(_: int) -> dict[str, Any]:
    return {}


TURNS = tuple(40 + number % 9 for number in range(100))


def kept(folder: Path) -> Played:
    [path] = folder.glob("*.json")
    result = read_result(path)
    assert isinstance(result, Played)
    return result


def test_twenty_games_are_played_at_once_and_kept(
    told: Callable[[Told], list[Sequence[int]]], agent: Agent, tmp_path: Path
) -> None:
    blocks = told(as_usual)
    run = Run(layouts=45, adjusted=23, shots=5, seed=2)
    found = []
    for result in evaluate(agent, CLASSIC, tmp_path, run):
        found.append((len(result.turns), len(result.adjusted)))
        assert not result.turns or kept(tmp_path) == result
    assert found == [(0, 0), (20, 20), (40, 23), (45, 23)]
    assert [list(block) for block in blocks] == [
        list(range(20)),
        list(range(20, 40)),
        list(range(40, 45)),
    ]
    adjusted = tuple(round(turns - number / 3, 6) for number, turns in enumerate(TURNS[:23]))
    assert result == Played(
        task="classic",
        agent="mine",
        kind="bot",
        digest="d",
        shots=5,
        seed=2,
        layouts=CLASSIC.hash,
        turns=TURNS[:45],
        adjusted=adjusted,
    )
    assert is_played("mine", CLASSIC, tmp_path, run)
    assert [len(again.turns) for again in evaluate(agent, CLASSIC, tmp_path, run)] == [45]
    assert len(blocks) == 3


def test_twenty_games_against_each_opponent_are_played_at_once(
    told: Callable[[Told], list[Sequence[int]]], agent: Agent, tmp_path: Path
) -> None:
    told(lambda number: {"result": ("first", "second", "draw")[number % 3]})
    *found, result = evaluate(agent, DUEL, tmp_path, Run(layouts=100, adjusted=9))
    assert [len(one.points) for one in found] == [0, 80]
    assert result.points == tuple((1.0, 0.0, 0.5)[number % 3] for number in range(100))
    assert (result.turns, result.adjusted) == ((), ())


def test_luck_is_not_taken_out_where_every_layout_is_played(
    told: Callable[[Told], list[Sequence[int]]], agent: Agent, tmp_path: Path
) -> None:
    told(lambda _: {"turns": 5})
    *_, result = evaluate(agent, ROW, tmp_path, Run(adjusted=9))
    assert (result.turns, result.adjusted) == ((5,) * 504, ())


def test_rules_whose_luck_cannot_be_taken_out_are_refused_only_if_it_is_asked_for(
    told: Callable[[Told], list[Sequence[int]]],
    agent: Agent,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told(as_usual)
    monkeypatch.setattr(evaluation, "why_not_adjusted", lambda rules: f"not by {rules.name}")
    assert len(list(evaluate(agent, CLASSIC, tmp_path, Run(layouts=2)))) == 2
    with pytest.raises(UserError, match=r"^not by classic$"):
        list(evaluate(agent, CLASSIC, tmp_path, Run(layouts=2, adjusted=1)))


def test_forfeit_counts_as_many_turns_as_there_are_cells(
    told: Callable[[Told], list[Sequence[int]]], agent: Agent, tmp_path: Path
) -> None:
    told(
        lambda number: (
            {"forfeit": "first", "reason": f"it broke in {number}"} if number > 22 else {}
        )
    )
    *_, result = evaluate(agent, CLASSIC, tmp_path, Run(layouts=41, adjusted=24))
    assert result.turns == TURNS[:23] + (100,) * 18
    assert result.adjusted[22:] == (round(TURNS[22] - 22 / 3, 6), 100)
    assert (result.forfeits, result.reason) == (18, "it broke in 23")


def test_forfeit_of_an_opponent_is_none_of_the_agent(
    told: Callable[[Told], list[Sequence[int]]], agent: Agent, tmp_path: Path
) -> None:
    told(lambda number: {"forfeit": ("first", "second")[number % 2], "reason": str(number),
                         "result": ("second", "first")[number % 2]})  # fmt: skip
    *_, result = evaluate(agent, DUEL, tmp_path, Run(layouts=5))
    assert (result.points, result.forfeits, result.reason) == ((0, 1, 0, 1, 0), 3, "0")


def test_who_forfeits_all_of_the_first_games_has_no_result(
    told: Callable[[Told], list[Sequence[int]]], agent: Agent, tmp_path: Path
) -> None:
    told(lambda _: {"forfeit": "first", "reason": "it broke"})
    found = evaluate(agent, CLASSIC, tmp_path, Run(layouts=41))
    next(found)
    with pytest.raises(UserError, match=r"^agent mine: forfeits every game of classic: it broke$"):
        next(found)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("adjusted", "played"), [(0, []), (2, [4, 24, 44, 45])])
def test_games_are_kept_until_there_are_as_many_with_less_luck(
    told: Callable[[Told], list[Sequence[int]]],
    agent: Agent,
    tmp_path: Path,
    adjusted: int,
    played: list[int],
) -> None:
    told(as_usual)
    before = Played(
        task="classic",
        agent="mine",
        kind="bot",
        digest="d",
        layouts=CLASSIC.hash,
        turns=TURNS[:45],
    )
    write_result(tmp_path, before)
    run = Run(layouts=4, adjusted=adjusted)
    lengths = []
    for result in evaluate(agent, CLASSIC, tmp_path, run):
        lengths.append(len(result.turns))
        assert kept(tmp_path) == (result if lengths[-1] == 45 else before)
    assert lengths == ([0, 20, 40, 45] if played else [45])
    assert (kept(tmp_path).turns, len(kept(tmp_path).adjusted)) == (TURNS[:45], adjusted)


def test_result_of_another_agent_is_refused(agent: Agent, tmp_path: Path, lives: Lives) -> None:
    before = unplayed("mine", CLASSIC, Run(layouts=4))
    write_result(tmp_path, before)
    with pytest.raises(OtherAgentError, match="it is of another agent that was called 'mine'"):
        next(evaluate(agent, CLASSIC, tmp_path, Run(layouts=4)))
    assert lives.started == []
