"""Rules that every bundled bot must keep; a new bot is found and held to them by itself."""

import ast
import functools
import sys
from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, reject, settings
from hypothesis import strategies as st

import bots
from arena import Bot
from arena.errors import RulesError
from arena.rules import PRESETS, Rules, Ship, mask_of, placements, preset, view
from arena.rules.ruleset import ShotsRule

Play = Callable[..., list[Any]]
"""Plays a block and returns its games."""


COSTLY = ("bots.tactics.posterior.", "bots.tactics.solver.")
"""Rooms whose bots think for seconds a game: of large boards they are seen to open alone."""

SMALL_CELLS = 25

KIT = {"arena", "arena.bot", "arena.rules", "arena.rules.rule_features"}


def board(
    rows: int, columns: int, lengths: list[int], shots: ShotsRule = 1, name: str = "odd"
) -> Rules:
    fleet = tuple(Ship(f"ship {number}", length) for number, length in enumerate(lengths))
    return Rules(name=name, rows=rows, columns=columns, fleet=fleet, shots=shots)


@st.composite
def hidden_fleets(draw: st.DrawFn) -> tuple[Rules, list[int]]:
    """Draw a small rule set and a layout that it allows."""
    rows, columns = draw(st.integers(1, 8)), draw(st.integers(1, 8))
    lengths: list[int] = []
    layout: list[int] = []
    for _ in range(draw(st.integers(1, 9))):
        length = draw(st.integers(1, min(5, max(rows, columns))))
        free = ~sum(layout)
        places = [place for place in placements(rows, columns, length) if not place & ~free]
        # Half full at most: the arena must be able to draw layouts of its own.
        roomy = 2 * (sum(lengths) + length) <= rows * columns
        if places and (roomy or not layout):
            lengths.append(length)
            layout.append(draw(st.sampled_from(places)))
    try:
        rules = board(rows, columns, lengths, draw(st.integers(1, 9) | st.just("afloat")))
    except RulesError:
        reject()
    return rules, layout


@functools.cache
def imports_of(file: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "a script that runs by itself has no relative imports"
            found.add(node.module or "")
    return found


def played_presets(bot: Bot) -> list[Rules]:
    """Return the presets that a bot says it plays."""
    return [rules for rules, _ in PRESETS.values() if bot.plays(view(rules, places=True))]


@pytest.fixture
def shots_at_hidden_fleet(made_bot: Bot) -> Rules:
    """Return the first preset that the bot plays: the salvo game, if it can."""
    return played_presets(made_bot)[0]


@pytest.fixture
def _few_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have ``thompson`` count ships one by one soon where few layouts agree with the answers."""
    monkeypatch.setattr("bots.thompson.MAX_BLOCKS", 2)


@pytest.mark.usefixtures("_few_draws")
@pytest.mark.by([rules for rules, _ in PRESETS.values()])
def test_plays_what_it_says_it_plays(
    bot_files: dict[str, Path], referee: Play, bundled_bot: str, rules: Rules
) -> None:
    imports = imports_of(bot_files[bundled_bot])
    costly = any(module.startswith(COSTLY) for module in imports) and rules.cells > SMALL_CELLS
    answers = 8 if costly else None
    for solo in (True, False):
        (game,) = referee(bundled_bot, rules, seeds=[1], solo=solo, answers=answers)
        assert game.forfeit is None or game.reason == "enough was seen", game.reason


@pytest.mark.by([preset("classic")])
def test_bot_that_draws_shoots_differently_by_another_seed(
    bot_files: dict[str, Path], play: Play, bundled_bot: str, rules: Rules
) -> None:
    if "self.random" not in bot_files[bundled_bot].read_text(encoding="utf-8"):
        return
    layout = [0b11111, 0b1111 << 10, 0b111 << 20, 0b111 << 30, 0b11 << 40]
    one, other = play(bundled_bot, rules, seeds=range(2), layout=layout)
    assert one.cells != other.cells


def test_same_seed_same_shots_in_any_process(
    play: Play, play_as_script: Play, bundled_bot: str, shots_at_hidden_fleet: Rules
) -> None:
    here = play(bundled_bot, shots_at_hidden_fleet, seeds=range(2))
    assert all(game.salvos for game in here)
    assert play_as_script(bundled_bot, shots_at_hidden_fleet, seeds=range(2)) == here


@pytest.mark.usefixtures("_few_draws")
@pytest.mark.by(
    [
        board(1, 1, [1], name="one cell"),
        board(1, 12, [3, 2], name="one row"),
        board(12, 1, [3, 2], "afloat", name="one column"),
        board(3, 7, [5, 3, 1], 2, name="3x7"),
        board(2, 2, [2, 2], 3, name="full"),
        board(4, 4, [1] * 9, "afloat", name="single cells"),
        board(9, 9, [2] * 12, 4, name="many small ships"),
        board(6, 6, [4, 2], 36, name="all cells in one salvo"),
    ]
)
def test_plays_odd_boards(play: Play, bundled_bot: str, rules: Rules) -> None:
    layout: list[int] = []
    for ship in rules.fleet:
        places = placements(rules.rows, rules.columns, ship.length)
        layout.append(next(place for place in places if not place & sum(layout)))
    for game in play(bundled_bot, rules, seeds=range(3), layout=layout):
        assert mask_of(game.cells) & sum(layout) == sum(layout)


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(hidden=hidden_fleets(), seed=st.integers(0, 2**53 - 1))
def test_sinks_any_fleet_on_any_board(
    made_bot: Bot, play: Play, bundled_bot: str, hidden: tuple[Rules, list[int]], seed: int
) -> None:
    rules, layout = hidden
    if not made_bot.plays(view(rules)):
        return
    for game in play(bundled_bot, rules, seeds=(seed, seed // 2), layout=layout):
        assert mask_of(game.cells) & sum(layout) == sum(layout)


def test_says_of_every_preset_whether_it_plays_it(made_bot: Bot) -> None:
    answers = [made_bot.plays(view(rules)) for rules, _ in PRESETS.values()]
    assert set(answers) <= {True, False}
    assert True in answers


def test_tells_idea_source_and_cost(bot_files: dict[str, Path], bundled_bot: str) -> None:
    text = ast.get_docstring(ast.parse(bot_files[bundled_bot].read_text(encoding="utf-8"))) or ""
    for heading in ("Idea:", "Source:", "Cost of a move:"):
        assert f"\n{heading} " in text


def test_says_who_wrote_it(load_bot: Callable[[str], type[Bot]], bundled_bot: str) -> None:
    bot = load_bot(bundled_bot)
    assert bot.author
    assert bot.version


def test_imports_the_kit_and_shared_rooms_alone(
    bot_files: dict[str, Path], bundled_bot: str
) -> None:
    others = {f"bots.{name}" for name in bot_files if name != bundled_bot}
    for module in imports_of(bot_files[bundled_bot]):
        root = module.partition(".")[0]
        assert root != "arena" or module in KIT
        assert not any(f"{module}.".startswith(f"{other}.") for other in others)


def test_no_file_is_named_like_a_standard_module() -> None:
    entries = Path(str(resources.files(bots))).iterdir()
    assert not {entry.stem for entry in entries} & set(sys.stdlib_module_names)
