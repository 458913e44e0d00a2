"""The benchmark: frozen tasks, agents of each kind, results that go on, and the table."""

import json
import re
from pathlib import Path
from typing import ClassVar
from xml.etree import ElementTree as ET

import msgspec
import pytest
from click.testing import CliRunner, Result

from arena import Bot, End
from arena.errors import UserError
from arena.player import UNHURRIED, InProcessPlayer, Player
from arena.rules import view
from bots.tactics.solver.solved_game import find_policy
from salvo.benchmark.agents import Agent, agent_named
from salvo.benchmark.evaluation import evaluate, is_played
from salvo.benchmark.games import Run, games_of, panel_hash
from salvo.benchmark.results import Played, Reported, only_one, read_result
from salvo.benchmark.standings import rows_of
from salvo.benchmark.tasks import TASKS, Task, layouts_hash, layouts_of
from salvo.cli.benchmark import benchmark

FUNCTION = """
def first(seen, mask):
    assert seen["board"].shape == (1, 10)
    return int(mask.argmax())

def stubborn(seen, mask):
    return 0

def broken(seen, mask):
    raise ValueError("it broke")

def half(seen, mask):
    return 2.5

def sometimes(seen, mask):
    assert mask.ravel()[:5].any(), "it broke"
    return int(mask.argmax())

memory = []

def counting(seen, mask):
    if mask.all():
        memory.append(None)
    assert len(memory) <= 20, "it remembers more than a block"
    return int(mask.argmax())
"""
CLASSIC, DUEL = TASKS["classic"], TASKS["duel"]


@pytest.fixture
def functions(tmp_path: Path) -> Path:
    path = tmp_path / "mine.py"
    path.write_text(FUNCTION, encoding="utf-8")
    return path


@pytest.fixture
def out(tmp_path: Path) -> Path:
    folder = tmp_path / "out"
    folder.mkdir()
    return folder


def played(agent: str, task: str, out: Path, run: Run) -> Played:
    *_, result = evaluate(agent_named(agent), TASKS[task], out, run)
    return result


def invoked(*words: str) -> Result:
    return CliRunner().invoke(benchmark, words, catch_exceptions=False)


@pytest.mark.parametrize("name", [task.name for task in TASKS.values() if not task.opponents])
def test_layouts_are_those_that_were_published(name: str) -> None:
    assert layouts_hash(TASKS[name]) == TASKS[name].hash


@pytest.mark.parametrize("name", [task.name for task in TASKS.values() if task.is_exact])
def test_optima_are_those_that_are_computed(name: str) -> None:
    policy = find_policy(view(TASKS[name].rules))
    assert policy is not None
    assert policy.mean_turns == pytest.approx(TASKS[name].optimum, abs=5e-5)


def test_opponents_play_as_when_the_task_was_published() -> None:
    # If they are to play better, results before and after cannot be compared: make another task.
    assert panel_hash(DUEL) == DUEL.hash


def test_fresh_layouts_are_others() -> None:
    fixed, fresh = set(layouts_of(CLASSIC)), set(layouts_of(CLASSIC, 7))
    assert not fixed & fresh
    assert layouts_hash(CLASSIC, 7) != CLASSIC.hash


def test_a_function_is_played_at_every_layout(functions: Path, out: Path) -> None:
    result = played(f"{functions}:first", "row-10-3", out, Run())
    # Cell by cell from the left, a ship whose last cell is n takes n + 1 turns.
    assert sum(result.turns[:8]) == sum(range(3, 11))
    assert len(result.turns) == 504
    (row,) = rows_of([result])
    assert (row.mean, row.half) == (6.5, 0)
    assert row.ratio == pytest.approx(6.5 / 4.5)


def test_a_forfeit_counts_as_many_turns_as_there_are_cells(functions: Path, out: Path) -> None:
    result = played(f"{functions}:sometimes", "row-10-3", out, Run())
    # After five shots it breaks: only ships that begin in the first three cells are sunk by then.
    assert result.turns[:8] == (3, 4, 5, 10, 10, 10, 10, 10)
    assert result.forfeits == 504 * 5 // 8
    assert "it broke" in result.reason
    assert f"forfeited {504 * 5 // 8}: " in rows_of([result])[0].note


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        ("stubborn", "already shot|twice"),
        ("broken", "it broke"),
        ("half", "2.5; a cell is a whole num"),
    ],
)
@pytest.mark.parametrize("task", ["row-10-3", "duel"])
def test_who_forfeits_every_game_has_no_row(
    functions: Path, out: Path, task: str, function: str, reason: str
) -> None:
    with pytest.raises(UserError, match=f"{function}: forfeits every game of {task}.*({reason})"):
        played(f"{functions}:{function}", task, out, Run(layouts=8))
    assert not list(out.glob("*.json"))


def test_a_function_remembers_no_more_than_a_block(functions: Path, out: Path) -> None:
    assert played(f"{functions}:counting", "row-10-3", out, Run()).forfeits == 0


def test_a_function_may_import_what_lies_beside_it(functions: Path) -> None:
    functions.with_name("beside_it.py").write_text("CELL = 3\n", encoding="utf-8")
    agent = functions.with_name("importing.py")
    agent.write_text(
        "from __future__ import annotations\n"
        "from dataclasses import dataclass\n"
        "from beside_it import CELL\n"
        "@dataclass\nclass Kept:\n    cell: int = CELL\n"
        "def choose(seen, mask):\n    return Kept().cell\n",
        encoding="utf-8",
    )
    assert agent_named(f"{agent}:choose").kind == "function"


def test_what_is_played_has_all_games_and_as_many_with_less_luck(out: Path) -> None:
    name, run = "probability_density", Run(layouts=2, adjusted=1)
    assert not is_played(name, CLASSIC, out, run)
    kept = played(name, "classic", out, run)
    assert is_played(name, CLASSIC, out, run)
    assert is_played(name, CLASSIC, out, Run(layouts=1, adjusted=1))
    assert not is_played(name, CLASSIC, out, Run(layouts=3, adjusted=1))
    assert not is_played(name, CLASSIC, out, Run(layouts=2, adjusted=2))
    reported = Reported(task="classic", agent=name, mean=44, source="a paper")
    (out / kept.file).write_bytes(msgspec.json.encode(reported))
    assert not is_played(name, CLASSIC, out, run)


@pytest.mark.parametrize("name", ["row-10-3", "ramesh-2"])
def test_fresh_games_of_a_small_game_have_another_order(name: str) -> None:
    task = TASKS[name]
    fixed, fresh = layouts_of(task), layouts_of(task, 7)
    each = len(set(fixed))
    assert sorted(fixed) == sorted(fresh)
    assert fresh[:each] != fixed[:each] != fresh[each : 2 * each]
    assert set(fresh[:each]) == set(fixed[:each])


def test_an_interval_does_not_depend_on_the_order(functions: Path, out: Path) -> None:
    for run in (Run(), Run(fresh=7)):
        (row,) = rows_of([played(f"{functions}:first", "row-10-3", out, run)])
        assert (row.mean, row.half) == (6.5, 0)


def test_a_row_below_what_is_possible_says_so() -> None:
    task = TASKS["row-10-3"]
    result = Played(
        task=task.name, agent="seer", kind="bot", digest="", layouts=task.hash, turns=(3,) * 504
    )
    assert rows_of([result])[0].note == "less than is possible for who does not know the layouts"


def test_a_stopped_run_goes_on_to_the_same_bytes(out: Path, tmp_path: Path) -> None:
    whole = tmp_path / "whole"
    whole.mkdir()
    run = Run(layouts=60)
    agent = agent_named("hunt_target")
    stopped = evaluate(agent, CLASSIC, out, run)
    for _ in range(3):
        next(stopped)
    stopped.close()
    assert 0 < len(read_result(out / "classic-hunt_target-0-1.json").turns) < 60  # type: ignore[union-attr]
    for folder in (out, whole):
        played("hunt_target", "classic", folder, run)
    (one,), (other,) = (list(folder.glob("*.json")) for folder in (out, whole))
    assert one.read_bytes() == other.read_bytes()


def test_luck_is_taken_out_of_the_first_games(out: Path) -> None:
    result = played("probability_density", "classic", out, Run(layouts=4, adjusted=2))
    assert len(result.adjusted) == 2
    assert all(
        abs(less - turns) < 40 for less, turns in zip(result.adjusted, result.turns, strict=False)
    )
    (row,) = rows_of([result])
    assert row.adjusted is not None
    assert row.adjusted[2] == 2


class Remembering(Bot):
    """Counts the games of each of its lives."""

    lives: ClassVar[list[int]] = []

    def __init__(self) -> None:
        self.lives.append(0)

    def choose_shots(self, count: int) -> list[int]:
        """Return the first cells that are left."""
        return self.untried[:count]

    def game_ends(self, end: End) -> None:
        """Count the game."""
        del end
        self.lives[-1] += 1


def test_an_agent_remembers_games_against_one_opponent_alone() -> None:
    def player(task: Task, *_: object) -> Player:
        return InProcessPlayer(Remembering, view(task.rules, places=True), UNHURRIED)

    Remembering.lives.clear()
    games = list(games_of(Agent("mine", "bot", "", player), DUEL, range(9), Run()))
    assert [game.fixture.pair for game in games] == list(range(9))
    assert Remembering.lives == [3, 2, 2, 2]


def test_an_opponent_places_the_same_fleet_whoever_plays_against_it() -> None:
    agents = agent_named("uniform_random"), agent_named("hunt_target")
    one, other = (next(games_of(agent, DUEL, [1], Run())) for agent in agents)
    assert one.layouts["second"] == other.layouts["second"]
    fresh = next(games_of(agents[0], DUEL, [1], Run(fresh=7)))
    assert fresh.layouts["second"] != one.layouts["second"]


def test_a_duel_counts_points_against_each_opponent(out: Path) -> None:
    result = played("hunt_target", "duel", out, Run(layouts=20, adjusted=5))
    assert len(result.points) == 20
    assert set(result.points) == {0.0, 1.0}
    assert not result.turns
    (row,) = rows_of([result])
    assert row.mean == sum(result.points) / 20
    assert row.against == tuple(sum(result.points[place::4]) / 5 for place in range(4))
    assert row.ratio is None


def test_a_duel_that_was_stopped_goes_on_to_the_same_bytes(out: Path, tmp_path: Path) -> None:
    whole = tmp_path / "whole"
    whole.mkdir()
    played("hunt_parity", "duel", out, Run(layouts=8))
    for folder in (out, whole):
        played("hunt_parity", "duel", folder, Run(layouts=16))
    (one,), (other,) = (list(folder.glob("*.json")) for folder in (out, whole))
    assert one.read_bytes() == other.read_bytes()


def test_another_agent_of_the_same_name_is_refused(functions: Path, out: Path) -> None:
    played(f"mine={functions}:first", "row-10-3", out, Run())
    with pytest.raises(UserError, match="another agent that was called 'mine'"):
        played("mine=hunt_target", "row-10-3", out, Run())


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("nobody", "no bundled bot, file or command"),
        ("ppo=Magic:model.zip", "no algorithm 'Magic' here; there are A2C"),
        ("missing.py:choose", "missing.py: No such file"),
        ("{functions}:none", "has no function 'none'"),
        ("{functions}:memory", "has no function 'memory'"),
        ("{exits}:choose", "SystemExit: it exits"),
        ("a/b=hunt_target", "'a/b': a name has at most 40 letters"),
        ("my agent={functions}:first", "'my agent': a name has at most 40 letters"),
        ("python {functions} " + 100 * "x", "its name is too long; give one"),
    ],
)
def test_what_is_no_agent_is_refused_in_one_line(functions: Path, text: str, told: str) -> None:
    exits = functions.with_name("exits.py")
    exits.write_text("raise SystemExit('it exits')\n", encoding="utf-8")
    with pytest.raises(UserError, match=told) as refused:
        agent_named(text.format(functions=functions, exits=exits))
    assert "\n" not in str(refused.value)


def test_a_program_plays_in_a_process_of_its_own(out: Path, tmp_path: Path) -> None:
    bot = tmp_path / "sweeper.py"
    bot.write_text(
        "from arena import Bot, run\n"
        "class Sweeper(Bot):\n"
        "    def choose_shots(self, count):\n"
        "        return self.untried[:count]\n"
        "run(Sweeper)\n",
        encoding="utf-8",
    )
    result = played(str(bot), "classic", out, Run(layouts=3))
    assert (result.agent, result.forfeits, len(result.turns)) == ("sweeper", 0, 3)


def test_the_command_prints_the_table_and_draws_the_figure(functions: Path, out: Path) -> None:
    copied = functions.with_name("copied.py")
    copied.write_text(functions.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    agents = (f"mine={functions}:first", f"mine={copied}:first")
    done = invoked(*agents, "--task", "row-10-3", "--shots", "1000", "--out", str(out))
    assert done.exit_code == 0
    assert re.search(
        r"^mine +1,000 +2 +6\.500 ± 0\.000 +1\.444 +504 +yes", done.stdout, re.MULTILINE
    )
    drawn = ET.parse(out / "table.svg").getroot()  # noqa: S314 - we wrote it
    texts = [text.text for text in drawn.iter("{http://www.w3.org/2000/svg}text")]
    assert "mine, 1,000 shots" in texts
    again = invoked("--out", str(out))
    assert again.stdout == done.stdout


def test_rules_that_an_agent_does_not_play_are_left_out_unless_they_are_named(out: Path) -> None:
    done = invoked("optimal_row", "--layouts", "2", "--out", str(out))
    assert "optimal_row is left out at classic" in done.stderr
    assert "row-10-3, optimum 4.5" in done.stdout
    with pytest.raises(UserError, match="classic"):
        invoked("optimal_row", "--task", "classic", "--out", str(out))


def test_the_table_of_duels_begins_with_the_best_and_names_the_opponents(out: Path) -> None:
    told = Reported(task="duel", agent="theirs", mean=0.75, low=0.7, high=0.8, source="a paper")
    (out / "theirs.json").write_bytes(msgspec.json.encode(told))
    done = invoked(*("uniform_random", "hunt_target", "--task", "duel", "--layouts", "12"),
                   *("--fresh", "3", "--out", str(out)))  # fmt: skip
    title, heads, _, *lines = done.stdout.splitlines()
    assert title == "duel"
    assert heads.split() == [
        "agent",
        "trained",
        "seeds",
        "points",
        *DUEL.opponents,
        "games",
        "checked",
    ]
    assert [line.split()[0] for line in lines[:3]] == ["theirs", "hunt_target", "uniform_random"]
    assert "0.750 ± 0.050" in lines[0]
    assert lines[1].endswith("fresh games 3")
    assert "mean points" in (out / "table.svg").read_text(encoding="utf-8")


def test_a_reported_result_stands_as_not_checked(out: Path) -> None:
    told = Reported(
        task="classic",
        agent="theirs",
        shots=10**6,
        seeds=5,
        mean=43.0,
        low=42.5,
        high=43.5,
        source="https://example.org/paper",
    )
    (out / "theirs.json").write_bytes(msgspec.json.encode(told))
    done = invoked("--out", str(out))
    assert re.search(r"theirs +1,000,000 +5 +43\.000 ± 0\.500 +reported, not checked", done.stdout)
    assert "theirs: https://example.org/paper" in done.stdout


def test_a_report_may_leave_out_what_its_agent_learned_from(out: Path) -> None:
    told = {"type": "reported", "task": "classic", "agent": "theirs", "mean": 45, "source": "a"}
    (out / "theirs.json").write_text(json.dumps(told), encoding="utf-8")
    read = read_result(out / "theirs.json")
    assert isinstance(read, Reported)
    assert (read.shots, read.seeds) == (0, 1)


@pytest.mark.parametrize(
    "text",
    [
        "{}",
        "[1",
        json.dumps({"type": "reported", "task": "nim", "agent": "a", "mean": 1, "source": "b"}),
        json.dumps(
            {"type": "reported", "task": "classic", "agent": "a", "mean": "x", "source": ""}
        ),
        *(
            msgspec.json.encode(
                Played(**{"agent": "a", "kind": "bot", "digest": "", "task": "classic"} | wrong)
            ).decode()
            for wrong in (
                {"task": "duel", "layouts": DUEL.hash, "turns": (40,)},
                {"task": "duel", "layouts": DUEL.hash, "points": (7,)},
                {"layouts": "0" * 64, "turns": (40,)},
                {"layouts": CLASSIC.hash, "turns": (16,)},
                {"layouts": CLASSIC.hash, "turns": (101,)},
                {"layouts": CLASSIC.hash, "turns": (40,) * 1001},
                {"layouts": CLASSIC.hash, "turns": (40,), "adjusted": (1.0, 2.0)},
                {"layouts": CLASSIC.hash, "turns": (40,), "forfeits": 2},
                {"layouts": CLASSIC.hash, "turns": (40,), "seed": 0},
                {"layouts": CLASSIC.hash, "turns": (40,), "agent": "a\nb"},
            )
        ),
        *(
            msgspec.json.encode(
                Reported(**{"task": "classic", "agent": "a", "mean": 44, "source": "b"} | wrong)
            ).decode()
            for wrong in (
                {"mean": -5},
                {"task": "duel", "mean": 7.5},
                {"low": 47, "high": 46},
                {"low": 45, "high": 46},
                {"low": 43},
                {"shots": -1},
                {"seeds": 0},
                {"agent": ""},
                {"agent": "a\u0007"},
            )
        ),
    ],
)
def test_a_file_that_holds_no_result_is_refused_in_one_line(out: Path, text: str) -> None:
    (out / "bad.json").write_text(text, encoding="utf-8")
    with pytest.raises(UserError, match=r"bad\.json") as refused:
        invoked("--out", str(out))
    assert "\n" not in str(refused.value)


def test_a_damaged_file_is_told_before_anything_is_played(out: Path) -> None:
    (out / "bad.json").write_text("{", encoding="utf-8")
    with pytest.raises(UserError, match=r"bad\.json"):
        invoked("hunt_target", "--task", "row-10-3", "--out", str(out))
    assert [path.name for path in out.glob("*.json")] == ["bad.json"]


def test_a_copy_of_a_result_is_no_further_seed(out: Path) -> None:
    played("hunt_target", "row-10-3", out, Run())
    (kept,) = out.glob("*.json")
    (out / "backup.json").write_bytes(kept.read_bytes())
    with pytest.raises(UserError, match="has the same seed; remove one"):
        invoked("--out", str(out))


@pytest.mark.parametrize(
    ("other", "told"),
    [("{functions}:first", "the same file is named twice"), ("hunt_target", "are no trainings of")],
)
def test_agents_of_one_name_are_trainings_of_one(
    functions: Path, out: Path, other: str, told: str
) -> None:
    agents = (f"m={functions}:first", "m=" + other.format(functions=functions))
    with pytest.raises(UserError, match=told):
        invoked(*agents, "--out", str(out))


def test_an_agent_that_plays_nothing_is_refused(functions: Path, out: Path) -> None:
    with pytest.raises(UserError, match="agent broken: it plays none of these tasks"):
        invoked(f"{functions}:broken", "--layouts", "4", "--out", str(out))


def test_two_at_once_do_not_play_into_one_folder(out: Path) -> None:
    with only_one(out), pytest.raises(UserError, match="another `salvo benchmark` plays into it"):
        invoked("hunt_target", "--task", "row-10-3", "--out", str(out))


def test_an_interval_is_shown_as_it_was_reported(out: Path) -> None:
    told = Reported(task="classic", agent="theirs", mean=45, low=44, high=48, source="a paper")
    (out / "theirs.json").write_bytes(msgspec.json.encode(told))
    assert "45.000 (44.000 to 48.000)" in invoked("--out", str(out)).stdout


def test_a_table_in_a_folder_that_cannot_be_written_is_printed(out: Path) -> None:
    played("hunt_target", "row-10-3", out, Run())
    (out / "table.svg").mkdir()  # root may write into any folder
    done = invoked("--out", str(out))
    assert done.exit_code == 0
    assert "hunt_target" in done.stdout
    assert "figure: not written" in done.stderr


def test_without_results_it_says_how_to_get_some(out: Path) -> None:
    assert "has no results yet; name an AGENT" in invoked("--out", str(out)).stdout
