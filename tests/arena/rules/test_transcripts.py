"""Golden transcripts: whole games, replayed step by step through the rules.

``tests/transcripts/make.py`` writes them anew, which is right only when a rule was changed on
purpose.
"""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.rules import (
    PRESETS,
    Action,
    Answer,
    Move,
    Place,
    Rules,
    Shoot,
    apply,
    begin,
)

FOLDER = Path(__file__).resolve().parents[1] / "transcripts"

ACTIONS: dict[str, type[Action]] = {
    "place": Place,
    "shoot": Shoot,
    "move": Move,
    "answer": Answer,
}


@pytest.mark.parametrize("name", PRESETS)
def test_the_game_goes_as_it_went(name: str) -> None:
    game: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    rules = msgspec.convert(game["rules"], Rules)
    assert rules == PRESETS[name][0]
    state = begin(rules)
    for number, step in enumerate(game["steps"]):
        assert plain(state.request) == step["asked"], f"step {number}"
        before = state.salvo
        state = apply(state, ACTIONS[step["asked"]["type"]](**step["does"]))
        if step["told"] is None:
            assert state.salvo is before, f"step {number}"
        else:
            assert state.salvo is not None
            assert plain(state.salvo.report) == step["told"], f"step {number}"
    assert state.request is None
    assert (state.result, state.ending) == (game["result"], game["ending"])


def plain(value: object) -> object:
    """Return a value as JSON has it."""
    return json.loads(msgspec.json.encode(value))


def test_there_is_no_transcript_without_a_preset() -> None:
    assert {path.stem for path in FOLDER.glob("*.json")} == set(PRESETS)
