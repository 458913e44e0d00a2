"""The bots in ``examples/`` need nothing of ours, and play."""

import ast
import os
import shutil
import sys
from importlib.resources import files
from pathlib import Path

import pytest
from msgspec.structs import replace

from arena.entrants import parse_entrant
from arena.isolation import Choice, Level, prove
from arena.records import Block, Fixture, Settings, Termination
from arena.rules import preset
from arena.seeds import Seeds
from arena.tournament import copied, play_here

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
OPPONENT = Path(str(files("bots"))) / "uniform_random.py"

needs_node = pytest.mark.skipif(
    shutil.which("node") is None, reason="node is not installed: apt install nodejs"
)
each_example = pytest.mark.parametrize(
    "example", ["rows.py", "rows.sh", pytest.param("rows.js", marks=needs_node)]
)


def block_of(example: str) -> Block:
    """Return a game in each seat, and one alone, of an example."""
    seatings: list[tuple[str, str | None]] = [(example, "other"), ("other", example)]
    return Block(
        (example, "other"),
        0,
        tuple(Fixture(f"{n}", *seats, n, (2**53 - 1, 8)) for n, seats in enumerate(seatings)),
    )


@pytest.mark.parametrize(
    ("rules", "level"), [*(("salvo", level) for level in Level), ("classic", Level.NONE)]
)
@each_example
def test_plays_both_seats_and_alone_without_a_forfeit(
    example: str, rules: str, level: Level
) -> None:
    promises = prove(level)
    lacking = [promise for promise in promises if not promise.held]
    if lacking and level is not Level.NONE:
        pytest.skip(f"isolation '{level}' does not hold here: {lacking[0].detail}")
    entrants = [parse_entrant(f"other={OPPONENT}", {}), parse_entrant(str(EXAMPLES / example), {})]
    entrants[1] = replace(entrants[1], name=example)
    game = preset(rules)
    alone = Block((example,), 0, (Fixture("alone", example, None, 0, (7, 9)),))
    with copied(entrants, level) as copies:
        play = play_here(game, Settings(), Seeds(1, game), copies.bots, Choice(level, promises))
        for block in (block_of(example), alone):
            for game in play(block).games:
                assert game.termination is Termination.SUNK, game.reason


@pytest.mark.parametrize("example", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.name)
def test_a_python_example_needs_the_standard_library_alone(example: Path) -> None:
    tree = ast.parse(example.read_text(encoding="utf-8"))
    imported = [
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
    ]
    assert imported
    assert set(imported) <= sys.stdlib_module_names
    assert not any(isinstance(node, ast.ImportFrom) for node in ast.walk(tree))


@pytest.mark.parametrize(
    "example", sorted(EXAMPLES.glob("rows.[pjs]*")), ids=lambda path: path.name
)
def test_an_example_can_be_started_by_its_first_line(example: Path) -> None:
    assert example.read_bytes().startswith(b"#!/usr/bin/env ")
    assert os.access(example, os.X_OK)


def test_every_example_stands_in_the_table() -> None:
    table = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    bots = [path.name for path in EXAMPLES.iterdir() if path.name != "README.md"]
    assert bots
    assert all(f"| `{name}` |" in table for name in bots)
