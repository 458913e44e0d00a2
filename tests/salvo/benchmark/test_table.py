"""The table and the figure of the benchmark are as they were, and wrong results are named."""

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.errors import UserError
from salvo.benchmark.figure import figure_of
from salvo.benchmark.results import Played, Reported, Result, read_result, results_in
from salvo.benchmark.standings import rows_of, table_of
from salvo.benchmark.tasks import TASKS, conditions_hash
from tests.golden import compare

HERE = Path(__file__).parent


def played(task: str, agent: str, scores: Sequence[float], **more: Any) -> Played:  # noqa: ANN401
    kind = "points" if TASKS[task].opponents else "turns"
    fresh = more.get("fresh")
    fields: dict[str, Any] = {
        "task": task,
        "agent": agent,
        "kind": "bot",
        "digest": "",
        kind: tuple(scores),
    }
    return Played(**fields, layouts=conditions_hash(TASKS[task], fresh), **more)


def drawn(low: int, high: int, number: int, seed: int = 1) -> list[float]:
    chance = random.Random(seed)
    return [chance.randint(low, high) for _ in range(number)]


def points(share: float, number: int, seed: int = 1) -> list[float]:
    chance = random.Random(seed)
    return [
        0.5 * (chance.random() < share) + 0.5 * (chance.random() < share) for _ in range(number)
    ]


def luckless(turns: list[float]) -> tuple[float, ...]:
    return tuple(40 + turn / 8 for turn in turns)


RESULTS: list[Result] = [
    played("row-10-3", "chance", drawn(4, 8, 504)),
    played("row-10-3", "seer", drawn(3, 4, 504), fresh=5),
    played("row-10-3", "doubtful", [4 + (turn > 61) for turn in drawn(1, 100, 504)]),
    played("row-10-3", "unlucky", [10.0] * 16, forfeits=16, reason="it broke"),
    played("row-10-3", "once", [6.0] * 8),
    *(played("ramesh-5", "trained", drawn(5, 8, 504, seed), shots=25_000, seed=seed)
      for seed in (1, 2, 3)),
    played("classic", "a-bot-whose-name-is-longer-than-a-label", drawn(30, 60, 40), shots=10**6),
    *(
        played("classic", "less", turns, adjusted=luckless(turns[:number]), seed=seed)
        for seed, number in ((1, 20), (2, 12))
        for turns in [drawn(30, 70, 30 + seed, seed)]
    ),
    Reported(task="classic", agent="theirs", mean=43.2, low=42.0, high=45.5, source="a paper"),
    Reported(task="classic", agent="even", mean=44, low=43, high=45, seeds=5, source="a page"),
    Reported(task="classic", agent="bare", mean=50, source="a letter <b>"),
    played("salvo", "single", [20]),
    played("duel", "good", points(0.8, 40)),
    played("duel", "three", points(0.3, 3)),
    played("duel", "four", points(0.3, 4)),
    played("duel", "afresh", points(0.5, 24), fresh=3),
    Reported(task="duel", agent="best", mean=0.99, low=0.96, high=1.02, source="a talk"),
]  # fmt: skip


def test_table_reads_as_it_did() -> None:
    rows = rows_of(RESULTS)
    github = table_of([row for row in rows if row.task.name == "ramesh-5"], "github")
    compare(f"{table_of(rows)}\n\n{github}\n", HERE / "table.txt")


def test_figure_looks_as_it_did() -> None:
    compare(figure_of(rows_of(RESULTS)), HERE / "figure.svg")


def test_mean_less_luck_takes_two_games() -> None:
    one, two = (
        rows_of([played("classic", "mine", [40, 50], adjusted=adjusted)])[0].adjusted
        for adjusted in ((41.0,), (41.0, 45.0))
    )
    assert one is None
    assert two == (43, pytest.approx(2 * 12.7062, abs=1e-4), 2)  # Student's quantile of one degree


def test_label_of_the_figure_has_32_letters_at_most() -> None:
    results = [played("salvo", "x" * 32, [20]), played("salvo", "y" * 33, [21])]
    figure = figure_of(rows_of(results))
    assert f">{'x' * 32}<" in figure
    assert f">{'y' * 31}…<" in figure


GOOD: dict[str, Any] = msgspec.to_builtins(played("classic", "mine", [40, 41, 42]))
TOLD: dict[str, Any] = {
    "type": "reported",
    "task": "classic",
    "agent": "theirs",
    "mean": 45,
    "source": "a",
}
SHORT: dict[str, Any] = msgspec.to_builtins(played("ramesh-5", "mine", [3, 16]))
SALVO: dict[str, Any] = msgspec.to_builtins(played("salvo", "mine", [1, 100]))
DUEL: dict[str, Any] = msgspec.to_builtins(played("duel", "mine", [0.0, 0.5, 1.0]))


@pytest.mark.parametrize(
    "result",
    [
        *(GOOD | more for more in [
            {"turns": [17, 100]},  # the fewest and the most
            {"adjusted": [40.5] * 3, "forfeits": 3},
            {"turns": [40] * 1000},
            {"shots": 10**12},
            {"agent": "x" * 300},
        ]),
        *(TOLD | more for more in [
            {"mean": 0}, {"mean": 100}, {"low": 0, "high": 46}, {"low": 45, "high": 45},
            {"task": "duel", "mean": 1},
        ]),
        SHORT,  # six cells by two shots a turn, on sixteen cells
        SALVO,  # as many shots as ships are afloat: who knows
        DUEL,
    ],
)  # fmt: skip
def test_result_at_the_limits_is_read(result: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    path.write_bytes(msgspec.json.encode(result))
    assert read_result(path) == msgspec.convert(result, Played | Reported, strict=False)


@pytest.mark.parametrize(
    ("result", "told"),
    [
        (GOOD | {"turns": [16]}, "of classic: turns: a game takes 17 to 100"),
        (GOOD | {"turns": [101]}, "of classic: turns: a game takes 17 to 100"),
        (SHORT | {"turns": [2]}, "of ramesh-5: turns: a game takes 3 to 16"),
        (SHORT | {"turns": [17]}, "of ramesh-5: turns: a game takes 3 to 16"),
        (SALVO | {"turns": [0]}, "of salvo: turns: a game takes 1 to 100"),
        (GOOD | {"turns": [40] * 1001}, "of classic: 1001 games are more than there are"),
        (GOOD | {"adjusted": [40] * 4}, "of classic: adjusted: more than there are games"),
        (GOOD | {"forfeits": 4}, "of classic: forfeits: more than there are games"),
        (GOOD | {"points": [1]}, "of classic: it may have turns alone"),
        (GOOD | {"layouts": "others"}, "of classic: its layouts are others"),
        (GOOD | {"benchmark": "battleship-v0"}, "task 'classic' of battleship-v0; this is"),
        (GOOD | {"task": "chess"}, "task 'chess' of battleship-v1; this is battleship-v1 with row"),
        (GOOD | {"more": 1}, "unknown field"),
        (DUEL | {"turns": [40]}, "of duel: it may have points alone"),
        (DUEL | {"points": [0.25]}, "of duel: points: a game has 0, 0.5 or 1"),
        (GOOD | {"agent": "x" * 301}, "Expected `str` of length <= 300"),
        (GOOD | {"agent": ""}, "Expected `str` of length >= 1"),
        (GOOD | {"agent": "a\nb"}, "Expected `str` matching regex"),
        (GOOD | {"shots": 10**12 + 1}, "Expected `int` <= 1000000000000"),
        (GOOD | {"shots": -1}, "Expected `int` >= 0"),
        (GOOD | {"seed": 0}, "Expected `int` >= 1"),
        (GOOD | {"fresh": -1}, "Expected `int` >= 0"),
        (GOOD | {"forfeits": -1}, "Expected `int` >= 0"),
        (TOLD | {"seeds": 0}, "Expected `int` >= 1"),
        (TOLD | {"more": 1}, "unknown field"),
        (TOLD | {"mean": 101}, "mean: 101 is not between 0 and 100"),
        (TOLD | {"mean": -1}, "mean: -1 is not between 0 and 100"),
        (TOLD | {"task": "duel", "mean": 1.5}, "mean: 1.5 is not between 0 and 1"),
        (TOLD | {"low": 44}, "low and high: give both or none"),
        (TOLD | {"high": 46}, "low and high: give both or none"),
        (TOLD | {"low": 45.5, "high": 46}, "the mean 45 does not lie from 45.5 to 46"),
        (TOLD | {"low": 44, "high": 44.5}, "the mean 45 does not lie from 44 to 44.5"),
        (TOLD | {"low": -1, "high": 46}, "the mean 45 does not lie from -1 to 46"),
    ],
)
def test_wrong_result_is_named_in_a_line(result: dict[str, Any], told: str, tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    path.write_bytes(msgspec.json.encode(result))
    with pytest.raises(UserError) as refused:
        read_result(path)
    assert told in str(refused.value)
    assert str(refused.value).startswith(f"result {path}: ")


def test_same_games_in_two_files_are_refused(tmp_path: Path) -> None:
    for name, seed in (("a", 1), ("b", 2), ("c", 1)):
        result = GOOD | {"seed": seed}
        (tmp_path / f"{name}.json").write_bytes(msgspec.json.encode(result))
    with pytest.raises(UserError, match=r"c\.json: a\.json has the same seed; remove one"):
        results_in(tmp_path)


def test_file_is_named_after_task_agent_shots_and_seed() -> None:
    assert played("classic", "mine", [40]).file == "classic-mine-0-1.json"
    other = played("duel", "a b/c", [1], shots=25_000, seed=3, fresh=0)
    assert other.file == "duel-a_b_c-25000-3-fresh-0.json"
