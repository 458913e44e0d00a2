"""The options that bundled bots take as programs, up to their limits."""

import runpy
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from bots.posterior_greedy import HIT_BITS
from bots.posterior_parity import OFF_CLASS
from bots.thompson import BLOCK_SIZE
from bots.value_search import STEPS

Start = Callable[[str], Any]


@pytest.fixture
def start(bot_files: Mapping[str, Path], monkeypatch: pytest.MonkeyPatch) -> Start:
    """Return a function that returns the bot which a command line makes."""

    def started(command: str) -> Any:  # noqa: ANN401 - any bot
        name, *options = command.split(" ")
        made: list[Any] = []
        monkeypatch.setattr("arena.run", lambda make: made.append(make()))
        monkeypatch.setattr("sys.argv", [name, *options])
        runpy.run_path(str(bot_files[name]), run_name="__main__")
        (bot,) = made
        return bot

    return started


@pytest.mark.parametrize(
    ("command", "options"),
    [
        ("clever", {"difficulty": "hard"}),
        ("clever --difficulty easy", {"difficulty": "easy"}),
        ("clever --difficulty medium", {"difficulty": "medium"}),
        ("thompson", {"block_size": BLOCK_SIZE}),
        ("thompson --block-size 1", {"block_size": 1}),
        ("posterior_parity", {"off_class": OFF_CLASS}),
        ("posterior_parity --off-class 0", {"off_class": 0}),
        ("posterior_parity --off-class 1", {"off_class": 1}),
        ("posterior_greedy", {"salvo": "set", "hit_bits": HIT_BITS}),
        ("posterior_greedy --salvo sequence --hit-bits 0", {"salvo": "sequence", "hit_bits": 0}),
        ("posterior_greedy --salvo marginals", {"salvo": "marginals", "hit_bits": HIT_BITS}),
        ("probability_density", {"hide": False}),
        ("probability_density --hide", {"hide": True}),
        ("value_search", {"steps": set(STEPS)}),
        ("value_search --steps=", {"steps": set()}),
        ("value_search --steps endgame,classes", {"steps": {"endgame", "classes"}}),
        ("deep_salvo", {"is_shown": False}),
        ("deep_salvo --posterior", {"is_shown": True}),
    ],
)
def test_options_are_those_of_the_bot(
    start: Start, command: str, options: Mapping[str, object]
) -> None:
    bot = start(command)
    assert {name: getattr(bot, name) for name in options} == options


@pytest.mark.parametrize(
    ("command", "error"),
    [
        ("clever --difficulty no", "argument --difficulty: invalid choice: 'no'"),
        ("thompson --block-size 0", "--block-size 0: a block has at least one layout"),
        ("posterior_parity --off-class -0.01", "--off-class -0.01: give a number from 0 to 1"),
        ("posterior_parity --off-class 1.01", "--off-class 1.01: give a number from 0 to 1"),
        ("posterior_greedy --hit-bits -0.01", "--hit-bits -0.01: give a number from 0"),
        ("posterior_greedy --hit-bits inf", "--hit-bits inf: give a number from 0"),
        ("posterior_greedy --salvo both", "argument --salvo: invalid choice: 'both'"),
        ("value_search --steps endgame,a", f"--steps a: give some of {','.join(STEPS)}"),
    ],
)
def test_other_options_are_refused(
    start: Start, capsys: pytest.CaptureFixture[str], command: str, error: str
) -> None:
    with pytest.raises(SystemExit) as left:
        start(command)
    assert left.value.code == 2
    assert f"error: {error}" in capsys.readouterr().err
